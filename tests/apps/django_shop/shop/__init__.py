"""A shop: Django under gunicorn and Celery's workers, with ids from leafmint."""

from .queue import queue

__all__ = ["queue"]
