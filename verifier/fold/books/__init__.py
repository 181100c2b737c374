"""The books of one system by the plain fold: rounds, pools, balances of tiers, ends of days."""
