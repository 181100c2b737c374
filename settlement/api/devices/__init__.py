"""Credentials of devices."""
