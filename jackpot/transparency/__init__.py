"""What anybody can check: Merkle tree of the blocks, signed checkpoints, witnesses, proofs."""
