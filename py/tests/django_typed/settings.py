"""Settings of a Django project with typed ids."""

from django_settings import *  # noqa: F403
from django_settings import LEAFMINT, replaced

ROOT_URLCONF = "shop.urls"
AUTH_USER_MODEL = "shop.Person"
LEAFMINT |= {"ID_KEYS": ["lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"]}

globals().update(replaced())
