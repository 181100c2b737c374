"""Coming in, what a session knows of its device, too many wrong passwords, forgotten ones."""
