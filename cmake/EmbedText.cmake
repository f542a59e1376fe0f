# cmake -DINPUT=… -DOUTPUT=… -P EmbedText.cmake: a text as a literal of C++, of
# which no piece is longer than compilers have to accept.
file(READ ${INPUT} text)
string(LENGTH "${text}" length)
set(literal "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 60000 piece)
  string(APPEND literal "R\"_PDL_(${piece})_PDL_\"\n")
  math(EXPR at "${at} + 60000")
endwhile()
file(WRITE ${OUTPUT} "${literal}")
