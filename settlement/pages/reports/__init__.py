"""Reports on screen, their files, and what is made at each close."""
