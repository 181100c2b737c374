"""Log-in, passwords, access tokens, staff who play, the security log."""
