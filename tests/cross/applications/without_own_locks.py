"""Opens a SQLite file on a kernel that refuses open-file-description locks: `without_own_locks.py FILE`."""

from __future__ import annotations

import ctypes
import platform
import struct
import sys

import leafmint

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, EQUAL, AT_LEAST, ABOVE, RETURN = 0x20, 0x15, 0x35, 0x25, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 22
FCNTL = {"x86_64": 72, "aarch64": 25}
F_OFD_GETLK, F_OFD_SETLKW = 36, 38


def refuse_own_locks() -> None:
    """Lets the kernel answer EINVAL to every fcntl(2) with a command from F_OFD_GETLK to F_OFD_SETLKW."""
    program = [
        (LOAD, 0, 0, 0),
        (EQUAL, 0, 4, FCNTL[platform.machine()]),
        (LOAD, 0, 0, 16 + 8),
        (AT_LEAST, 0, 2, F_OFD_GETLK),
        (ABOVE, 1, 0, F_OFD_SETLKW),
        (RETURN, 0, 0, REFUSE),
        (RETURN, 0, 0, ALLOW),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    filters = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    assert libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filters) == 0, ctypes.get_errno()


refuse_own_locks()
try:
    print(leafmint.SegmentGenerator(f"sqlite:///{sys.argv[1]}").tag("order").next_id())
except leafmint.LeafmintError as error:
    print(error.code, error)
