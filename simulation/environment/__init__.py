"""What the console runs in: network and broker, clocks, processes that die, and their faults."""
