"""Events: what happened, read from committed rows, each row once and none lost."""
