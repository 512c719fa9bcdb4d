"""An application whose models use other libraries."""
