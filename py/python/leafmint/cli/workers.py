"""The commands `workers list` and `release`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from .output import time_text, write_json, write_line, write_table
from .parser import Commands, add_command, add_group
from .stores import FLAKES_HELP, add_store, snowflakes

if TYPE_CHECKING:
    from .. import WorkerInfo


def add(commands: Commands) -> None:
    """Adds the commands."""
    workers = add_group(commands, "workers", "show and free the worker ids of a holder")
    listing = add_command(
        workers, "list", run_list, "list the worker ids, and who holds each until when", "leafmint workers list"
    )
    add_store(listing, FLAKES_HELP)
    release = add_command(
        workers, "release", run_release, "free the worker id of a process that is gone", "leafmint workers release 7"
    )
    release.add_argument("worker_id", metavar="WORKER_ID", type=int, help="the worker id")
    release.add_argument("--force", action="store_true", help="free it before its time ends; no id can repeat")
    add_store(release, FLAKES_HELP)


def run_list(args: Namespace) -> None:
    """Lists the worker ids."""
    with snowflakes(args) as flakes:
        workers, scope = flakes.list_workers(), flakes.scope
    if args.json:
        write_json({"scope": scope, "workers": [as_document(worker) for worker in workers]})
        return
    write_line(f"{scope}\n")
    rows = [
        (worker.worker_id, "yes" if worker.held else "no", times["horizon"], times["updated"], worker.endpoint)
        for worker in workers
        for times in [as_document(worker)]
    ]
    write_table(["worker_id", "held", "horizon", "updated", "endpoint"], rows, right=[0])


def as_document(worker: WorkerInfo) -> dict[str, Any]:
    """Returns a worker id for JSON."""
    times = {name: getattr(worker, name) and time_text(getattr(worker, name)) for name in ("horizon", "updated")}
    return {**worker._asdict(), **times}


def run_release(args: Namespace) -> None:
    """Frees a worker id."""
    with snowflakes(args) as flakes:
        released = flakes.release_worker(args.worker_id, force=args.force)
    if args.json:
        write_json({"worker_id": args.worker_id, "released": released})
    else:
        write_line(f"worker id {args.worker_id}: {'released' if released else 'was free already'}")
