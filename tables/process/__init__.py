"""What every long-running process shares: signals, watchdog, statements, notifications, secrets."""
