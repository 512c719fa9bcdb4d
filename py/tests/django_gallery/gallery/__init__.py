"""An application with every kind of model. Its keys are those of DEFAULT_AUTO_FIELD."""
