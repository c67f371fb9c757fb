"""Declarations of the C we call. No behaviour lives here."""
