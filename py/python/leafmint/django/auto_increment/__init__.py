"""Keys that a database counted before leafmint minted them, or counts again afterwards."""
