"""Pages of drop and bank: counts of a day, import with preview, findings of variances."""
