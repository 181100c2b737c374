"""The log of each system: a Merkle tree over its blocks, signed checkpoints, proofs, witnesses."""
