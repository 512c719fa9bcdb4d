"""Processes of Django's projects, as forks of one process that has imported Django: most of a process is its import.

A fork is a process as any other from there on: it imports the project and leafmint, and ends as the interpreter ends.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import types
from functools import cache
from pathlib import Path
from typing import Any

IMPORTED = [
    "django.contrib.admin",
    "django.core.management.commands.makemigrations",
    "django.core.management.commands.migrate",
    "django.db.backends.sqlite3.base",
    "django.test",
    "psycopg",
    "pymysql",
]
"""Nothing that needs settings, and nothing of leafmint."""


def run(
    python: list[str], command: tuple[str, ...], folder: Path, variables: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run `-c script` or a file, with arguments, in a folder."""
    request = json.dumps({"command": command, "folder": str(folder), "variables": variables})
    with tempfile.TemporaryFile("w+") as asked, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        asked.write(request)
        asked.flush()
        connection = _started(tuple(python))
        socket.send_fds(connection, [b"?"], [asked.fileno(), out.fileno(), err.fileno()])
        status = json.loads(connection.recv(100))
        output, errors = (os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode() for file in (out, err))
    return subprocess.CompletedProcess([*python, *command], status, output, errors)


@cache
def _started(python: tuple[str, ...]) -> socket.socket:
    """Start the process that forks. It ends with this one."""
    ours, its = socket.socketpair()
    with its:
        os.set_inheritable(its.fileno(), True)
        command = [*python, __file__, str(its.fileno())]
        process = subprocess.Popen(command, close_fds=False, stdin=subprocess.DEVNULL)
    atexit.register(process.wait)
    atexit.register(ours.close)
    ours.settimeout(300)
    return ours


def _next_request(connection: socket.socket) -> dict[str, Any]:
    """Fork for each request, and return it in the fork alone."""
    while True:
        message, files, _, _ = socket.recv_fds(connection, 1, 3)
        if not message:
            os._exit(0)
        child = os.fork()
        if child == 0:
            connection.close()
            asked, out, err = files
            os.dup2(out, 1)
            os.dup2(err, 2)
            request: dict[str, Any] = json.loads(os.pread(asked, os.fstat(asked).st_size, 0))
            for file in files:
                os.close(file)
            return request
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(request: dict[str, Any]) -> types.CodeType:
    """Take the folder, the variables and the arguments of a process, and return its program."""
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["variables"])
    sys.argv = request["command"]
    file = sys.argv[0]
    sys.path[:1] = ["" if file == "-c" else request["folder"], *os.environ["PYTHONPATH"].split(os.pathsep)]
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    if file == "-c":
        return compile(sys.argv.pop(1), "<string>", "exec")
    # Absolute, as Python's own is: the processes that a test runner starts look for it from another folder.
    main.__file__ = str(Path(file).absolute())
    return compile(Path(file).read_text(), file, "exec")


if __name__ == "__main__":
    for name in IMPORTED:
        importlib.import_module(name)
    # Else the collection at the end of each fork copies every page.
    gc.freeze()
    program = _become(_next_request(socket.socket(fileno=int(sys.argv[1]))))
    exec(program, vars(sys.modules["__main__"]))
