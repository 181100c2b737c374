"""How values are written in each language: Django looks for a module `formats` under its code."""
