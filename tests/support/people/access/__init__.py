"""How people log in: passwords, second factors, passkeys, a provider."""
