"""Migrations that create leafmint's tables."""
