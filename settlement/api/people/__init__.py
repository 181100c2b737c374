"""People of the house: their accounts, and invitations."""
