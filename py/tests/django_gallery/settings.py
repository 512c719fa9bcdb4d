"""Settings of a project with every kind of model. The tests replace some by the variable SETTINGS."""

import json
import os
from typing import Any

SECRET_KEY = "not a secret"
USE_TZ = True
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "leafmint.django", "gallery"]
AUTH_USER_MODEL = "gallery.Person"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES: dict[str, Any] = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "app.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

globals().update(json.loads(os.environ.get("SETTINGS", "{}")))
