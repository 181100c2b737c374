"""What people show of themselves: second factors, passkeys, PINs, and the password once more."""
