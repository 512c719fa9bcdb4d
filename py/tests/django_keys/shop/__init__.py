"""An application whose keys are those of DEFAULT_AUTO_FIELD."""
