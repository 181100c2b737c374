"""The parts of a claim's page, each read by selectors only."""
