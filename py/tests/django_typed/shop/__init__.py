"""An application whose models have typed ids."""
