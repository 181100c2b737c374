"""Drop and bank: what was counted against what the books expect, findings of variances."""
