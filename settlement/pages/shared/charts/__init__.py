"""Charts as drawings made on the server: no script draws them, and they print."""
