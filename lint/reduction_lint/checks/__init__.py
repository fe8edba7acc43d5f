"""Solved facts -> drafts of findings. One module per rule family; nothing here reads files or settings."""
