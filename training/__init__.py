"""Training: how the networks that ship with the bots are made. See training/README.md."""
