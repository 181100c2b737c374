"""The figures of the dashboard: cheap however much was played, each with a report behind it."""
