# Completion of the tools' command lines in bash 4 and later. The tool itself says
# what a word can become: options, passes, their options in quotes, values; any
# other word is a file. Source this file, or install it.

_tensoraccess() {
  # The word as the tool would get it, which may have blanks in quotes.
  local line=${COMP_LINE:0:COMP_POINT} word= quote= i c
  for ((i = 0; i < ${#line}; ++i)); do
    c=${line:i:1}
    if [[ $quote ]]; then
      [[ $c == "$quote" ]] && quote=
    elif [[ $c == [\"\'] ]]; then
      quote=$c
    elif [[ $c == ' ' ]]; then
      word= && continue
    fi
    word+=$c
  done

  local candidate kept=
  COMPREPLY=()
  if [[ $word != -* ]]; then
    # Behind an option as -o, and where nothing fits, bash completes any file.
    [[ ${COMP_WORDS[COMP_CWORD - 1]} == -* ]] && return
    while IFS= read -r candidate; do
      [[ $candidate == *.@(mlir|mlirbc|glenside|npy|ll) || -d $candidate ]] &&
        COMPREPLY+=("$candidate")
    done < <(compgen -f -- "$word")
    compopt -o filenames +o nospace 2>/dev/null
    return 0
  fi
  # What is before the last break, or the quote that is open, stays as it is.
  if [[ $quote ]]; then
    kept=${word%"$quote"*}$quote
  else
    [[ $word == *[=:\(]* ]] && kept=${word%"${word##*[=:\(]}"}
  fi
  while IFS=$'\t' read -r candidate _; do
    [[ $candidate == *= || $quote ]] || candidate+=' '
    COMPREPLY+=("${candidate#"$kept"}")
  done < <("${COMP_WORDS[0]}" --autocomplete="$word" 2>/dev/null)
  # Of a single one bash would close the quote, but its value is still to come.
  if [[ $quote && ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then
    COMPREPLY+=("${COMPREPLY[0]}…")
  fi
}

complete -o default -o nospace -F _tensoraccess \
  tensoraccess-{ask,calibrate,explain,explore,lsp-server,opt,reduce,run,translate}
