"""Table units: right ones, wrong ones, their settings and credentials."""
