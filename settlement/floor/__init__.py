"""The gaming floor: rulings, missed rounds, incidents, handover, tables that move."""
