"""People of the house: invited, given roles, locked, gone."""
