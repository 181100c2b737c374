"""The log of each system: its checkpoints, who cosigned them, what was refused."""
