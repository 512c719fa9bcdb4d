"""Typed ids in columns, forms, URLs, migrations and fixtures of Django."""
