"""The dashboard: figures for managers and compliance, each with what is behind it."""
