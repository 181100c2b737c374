"""The page of a casino's rehearsals, before it opens."""
