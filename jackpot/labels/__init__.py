"""How figures and claims are written for people, in the language of the reader."""
