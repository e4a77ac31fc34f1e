"""Leagues on the server: several championships in one table, on a page that lives on."""
