"""The overview, tables, rulings, incidents and the handover of a shift."""
