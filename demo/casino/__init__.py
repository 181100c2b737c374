"""The demo's casino: jackpots, people, tables and screens, and the days behind it."""
