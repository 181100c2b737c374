"""The whole console in one process, driven by one seed (docs/simulation.md)."""
