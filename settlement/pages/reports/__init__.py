"""Pages of reports and their exports."""
