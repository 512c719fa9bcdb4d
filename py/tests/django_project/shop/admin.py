"""The models in the admin site."""

from django.contrib import admin

from .models import Item

admin.site.register(Item)
