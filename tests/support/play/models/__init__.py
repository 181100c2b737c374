"""Plain models of money, and what people decide in any order, which they are held against."""
