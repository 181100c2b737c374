"""Evenings that were recorded once: what they fold to may never change. See `record`."""
