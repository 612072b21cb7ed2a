"""Tries to look into a process of the same user, `looker.py PID`, and prints as JSON which ways were open."""

import ctypes
import json
import os
import sys

PTRACE_SEIZE = 0x4206
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
pid = int(sys.argv[1])
found = []
for name in ("environ", "maps", "mem"):
    try:
        with open(f"/proc/{pid}/{name}", "rb", buffering=0) as file:
            if name != "mem":
                file.read(1)
        found.append(name)
    except OSError:
        pass
if libc.ptrace(PTRACE_SEIZE, pid, None, None) == 0:
    found.append("ptrace")
assert os.path.exists(f"/proc/{pid}")
print(json.dumps(found))
