"""An application of Celery whose broker is a folder, and whose task mints."""

import os
from pathlib import Path

import leafmint
from celery import Celery

FOLDER = Path(os.environ["QUEUE_FOLDER"])

app = Celery("celery_tasks", broker="filesystem://")
app.conf.broker_transport_options = {
    "data_folder_in": str(FOLDER),
    "data_folder_out": str(FOLDER),
    "control_folder": str(FOLDER / "control"),
}
leafmint.configure(f"sqlite:///{FOLDER}/ids.db", options={"auto_create": True, "timeout": 60})


@app.task
def mint() -> None:
    """Writes down an id."""
    with (FOLDER / "minted").open("a") as minted:
        minted.write(f"{leafmint.tag('order').next_id()}\n")
