"""Calls of the API, for tests of several of its parts."""
