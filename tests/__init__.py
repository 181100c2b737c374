"""Tests of the console: they mirror the code; `stories` tells whole cases."""
