"""The log-in provider of the house (OpenID Connect): the web process sends people there, the worker
asks it who came back, and the database takes both halves (docs/decisions/0128)."""
