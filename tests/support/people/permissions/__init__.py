"""Who may do what: every address, command and record, tried as everybody."""
