"""Positions as text and pictures, and the parser that game records share."""
