"""An application with models of every kind that a primary key matters to."""
