"""Which database of Django has a row, found by the id or the key that names it."""
