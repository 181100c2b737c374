"""Acts that people sign themselves, with a passkey of their own."""
