"""Who may do what: roles, permissions, scopes of tokens, staff who play."""
