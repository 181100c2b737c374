"""Who may act: roles, permissions, passwords, sessions, staff who play, the security log."""
