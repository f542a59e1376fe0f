"""Runs a command that prints tables in a pipe, folded to 20 columns, and in a
terminal of as many, where this machine has terminals.

usage: check_width.py COMMAND...
"""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios


def run_in_terminal(command, terminal, columns):
    """What the command prints where its output is a terminal that wide."""
    near, far = terminal
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    with subprocess.Popen(command, stdout=far, env=environment) as process:
        os.close(far)
        text = b""
        while True:
            try:
                part = os.read(near, 65536)
            except OSError:  # the end of a terminal
                break
            if not part:
                break
            text += part
        assert process.wait() == 0
    os.close(near)
    return text.decode().replace("\r\n", "\n")


def tables(text):
    """The lines after the title and the summary, which are not folded."""
    return text.split("\n\n", 1)[1].splitlines()


command = sys.argv[1:]
piped = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
asked = subprocess.run([*command, "--layout-text-width=20"],
                       stdout=subprocess.PIPE, check=True, text=True)
folded = max(len(line) for line in tables(asked.stdout))
whole = max(len(line) for line in tables(piped.stdout))
assert 10 < folded <= 20 < 100 < whole, (folded, whole)
try:
    terminal = pty.openpty()
except OSError:  # a container without /dev/pts: nothing has a width there
    sys.exit()
assert run_in_terminal(command, terminal, 20) == asked.stdout
