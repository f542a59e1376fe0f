"""Starts a job, kills one of its ranks, and checks that the job ends with a code
other than 0: kill_rank.py mpirun … tensoraccess-run …"""
import os
import pathlib
import signal
import subprocess
import sys
import time


def ranks_below(root):
    """The processes of tensoraccess-run that descend from a process."""
    children, names = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            head, _, tail = (entry / "stat").read_text().rpartition(")")
        except OSError:
            continue  # it has ended
        pid = int(entry.name)
        names[pid] = head.partition("(")[2]
        children.setdefault(int(tail.split()[1]), []).append(pid)
    found, front = [], [root]
    while front:
        pid = front.pop()
        # Names are cut to 15 characters.
        if names.get(pid, "").startswith("tensoraccess-ru"):
            found.append(pid)
        front += children.get(pid, [])
    return sorted(found)


job = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True)
# The first rank says how many there are once all have joined; what the launcher
# says of this machine comes before.
said = []
for line in job.stdout:
    said.append(line)
    if line.startswith("ranks     2"):
        break
else:
    sys.exit("".join(said))
ranks = ranks_below(job.pid)
assert len(ranks) == 2, ranks
os.kill(ranks[1], signal.SIGKILL)
began = time.monotonic()
output, _ = job.communicate(timeout=60)
assert job.returncode not in (0, 124), (job.returncode, output)
assert time.monotonic() - began < 30, output
assert "9" in output, output  # the launcher names the signal
assert not any(os.path.exists(f"/proc/{pid}") and
               "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text()
               .rpartition(")")[2].split()[0] for pid in ranks), ranks
