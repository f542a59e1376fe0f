"""Types beginnings of command lines and a tab into a shell, and waits for the rest."""
import os
import pty
import re
import select
import sys
import time

COMPLETION = sys.argv[2]
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile"],
             "bind 'set enable-bracketed-paste off'; stty columns 500; "
             f"source {COMPLETION}/tensoraccess.bash"),
    "zsh": (["zsh", "-f"],
            f"stty columns 500; fpath=({COMPLETION} $fpath); "
            "autoload -U compinit; compinit -u -D"),
}
# What is typed, and what then stands on the line; of the last two zsh makes words
# with backslashes instead of quotes.
CASES = [
    ("tensoraccess-opt --tensoraccess-til", "--tensoraccess-tile "),
    ("tensoraccess-run --engine=int", "--engine=interpret "),
    ("tensoraccess-run --engi", "--engine="),
    ("tensoraccess-translate --layout-to-t", "--layout-to-text "),
    ("tensoraccess-opt prog", "program.mlir "),
    ('tensoraccess-opt --tensoraccess-tile="sizes=8,8 fuse=fo', "fuse=footprint"),
    ('tensoraccess-opt --pass-pipeline="builtin.module(cse,tensoraccess-discov',
     "cse,tensoraccess-discover-im2col"),
]


class Shell:
    def __init__(self, name):
        argv, self.setup = SHELLS[name]
        process, self.terminal = pty.fork()
        if process == 0:
            os.environ.update(TERM="dumb", PS1="$ ", PS2="")
            os.execvp(argv[0], argv)

    def type(self, text):
        os.write(self.terminal, text.encode())

    def wait_for(self, text):
        """What is shown until `text` is there; it must come within a minute."""
        shown, end = "", time.monotonic() + 60
        while text not in shown:
            if not select.select([self.terminal], [], [],
                                 end - time.monotonic())[0]:
                sys.exit(f"no {text!r} in {shown!r}")
            shown += os.read(self.terminal, 4096).decode(errors="replace")
            # Where the cursor went back, what it went over is written again.
            shown = re.sub("[\a\r]", "", shown)
            while "\b" in shown:
                shown = re.sub("[^\b]?\b", "", shown, count=1)
        return shown


if __name__ == "__main__":
    open("program.mlir", "w").close()
    shell = Shell(sys.argv[1])
    # The first is what is echoed.
    shell.type(shell.setup + "; echo rea''dy\n")
    shell.wait_for("ready\n")
    for typed, expected in CASES:
        shell.type(typed + "\t")
        shell.wait_for(expected)
        shell.type("\x15echo do''ne\n")
        shell.wait_for("done\n")
    print(len(CASES), "completed")
