"""Commands for whoever runs a server: its configuration, and its database."""
