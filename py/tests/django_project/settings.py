"""Settings of a Django project whose ids come from leafmint."""

from django_settings import *  # noqa: F403
from django_settings import replaced

globals().update(replaced())
