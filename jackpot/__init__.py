"""Floor 2, order and money: the writer, its ledger, the pure fold, displays, replay."""
