"""The posted terms of a jackpot and the arithmetic that follows from them. Pure functions."""
