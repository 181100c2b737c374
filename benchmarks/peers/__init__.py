"""What the console is measured beside: programs that take the same events from the same broker
and post the same contributions, each in a process and a database of its own."""
