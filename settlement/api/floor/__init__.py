"""Systems, tables, pools and what happens on the floor."""
