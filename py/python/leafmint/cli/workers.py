"""The commands `workers list` and `release`."""

from __future__ import annotations

from argparse import Namespace

from .._internal.json_records import worker_record
from .hosts import answered_by, check_agreement, heading
from .opened import holder, holder_place, snowflakes
from .output import printable, write_json, write_line, write_table
from .parser import Commands, add_command, add_group
from .stores import FLAKES_HELP, Place, add_store, option_values


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
    release.add_argument("--force", action="store_true", help="free it before its horizon; no id can repeat")
    add_store(release, FLAKES_HELP)


def run_list(args: Namespace) -> None:
    """Lists the worker ids."""
    with holder(args) as flakes:
        workers = flakes.list_workers()
    if args.json:
        write_json(
            {
                "scope": flakes.scope,
                "host": flakes.stats().host,
                "workers": [worker_record(worker) for worker in workers],
            }
        )
        return
    write_line(f"{heading(flakes)}\n")
    rows = [
        (worker.worker_id, "yes" if worker.held else "no", times["horizon"], times["updated"], worker.endpoint)
        for worker in workers
        for times in [worker_record(worker)]
    ]
    write_table(["worker_id", "held", "horizon", "updated", "endpoint"], rows, right=[0])


def run_release(args: Namespace) -> None:
    """Frees a worker id."""
    place = holder_place(args)
    check_agreement(args, place, f"worker id {args.worker_id}", lambda alone: owner_of(args, alone))
    with snowflakes(place, option_values(args)) as flakes:
        released = flakes.release_worker(args.worker_id, force=args.force)
    if args.json:
        write_json({"worker_id": args.worker_id, "host": flakes.stats().host, "released": released})
    else:
        what = "released" if released else "was free already"
        write_line(f"worker id {args.worker_id}: {what}{answered_by(flakes)}")


def owner_of(args: Namespace, place: Place) -> str:
    """Says who has a worker id at one host. Its horizon is left out: a replica has it a moment later."""
    with snowflakes(place, option_values(args)) as flakes:
        found = {worker.worker_id: worker for worker in flakes.list_workers()}.get(args.worker_id)
    if found is None:
        return "no such row"
    return f"it {'held by' if found.held else 'free, last held by'} {printable(found.endpoint)}"
