"""The one command."""
