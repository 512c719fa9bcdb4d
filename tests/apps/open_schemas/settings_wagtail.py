"""Settings with which Wagtail makes its tables."""

from database import DATABASES as DATABASES

SECRET_KEY = "only for this test"
USE_TZ = True
STATIC_URL = "/static/"
WAGTAIL_SITE_NAME = "audited"
WAGTAILADMIN_BASE_URL = "http://127.0.0.1"
INSTALLED_APPS = [
    "wagtail.contrib.forms",
    "wagtail.contrib.redirects",
    "wagtail.contrib.search_promotions",
    "wagtail.contrib.settings",
    "wagtail.embeds",
    "wagtail.sites",
    "wagtail.users",
    "wagtail.snippets",
    "wagtail.documents",
    "wagtail.images",
    "wagtail.search",
    "wagtail.admin",
    "wagtail",
    "modelcluster",
    "taggit",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
]
