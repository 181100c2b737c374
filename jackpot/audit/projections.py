"""What a system's rows say at the end of its order, without surrogate ids: to be compared."""

PROJECTIONS = {
    "head": """
        SELECT seq, transfer_number, hit_number, terms_number, block_number,
               encode(block_hash, 'hex')
        FROM jackpot_head WHERE system_id = %s
    """,
    "terms": """
        SELECT number, jackpot, document, effective_seq FROM jackpot_terms
        WHERE system_id = %s ORDER BY number
    """,
    "tiers": """
        SELECT code, jackpot, fed_pool, fed_reserve, fed_overflow, period_from, rolled
        FROM jackpot_tier
        WHERE system_id = %s ORDER BY code COLLATE "C"
    """,
    "accounts": """
        SELECT a.code, t.code, a.balance FROM jackpot_account a
        LEFT JOIN jackpot_tier t ON t.id = a.tier_id
        WHERE a.system_id = %s ORDER BY a.code COLLATE "C"
    """,
    "hits": """
        SELECT h.number, h.place, h.acts_at, h.at, g.code, h.round, h.terms, t.code, h.state,
               h.held, h.confirmed, h.before_pool, h.before_reserve, h.before_overflow,
               h.before_rolled, h.fed,
               h.moved_fed, h.values, h.shown, h.shown_seq, h.report, h.report_entry,
               h.corrected, h.called_seats, h.payees, h.stops, h.pairing, h.strength, h.closing,
               h.clock
        FROM jackpot_hit h JOIN tables_gamingtable g ON g.id = h.table_id
        LEFT JOIN jackpot_tier t ON t.id = h.tier_id
        WHERE h.system_id = %s ORDER BY h.number
    """,
    "steps": """
        SELECT t.code, s.place, s.kind, s.fed_pool, s.fed_reserve, s.fed_overflow, s.pool,
               s.reserve, s.pool_limit, s.shown, s.shown_at, s.prize
        FROM jackpot_tierstep s JOIN jackpot_tier t ON t.id = s.tier_id
        WHERE t.system_id = %s ORDER BY t.code COLLATE "C", s.place
    """,
    "rounds": """
        SELECT g.code, r.round, r.terms, r.game, r.deck, r.dealt, r.started, r.completed,
               r.void, r.pot, r.hit, r.cancelled, r.priced, r.uncalled, r.commission, r.taken,
               r.awaits, r.differs, r.pace, r.accepted, r.stakes, r.flop,
               r.counted
        FROM jackpot_roundstate r JOIN tables_gamingtable g ON g.id = r.table_id
        WHERE r.system_id = %s ORDER BY g.code COLLATE "C", r.round
    """,
    "sessions": """
        SELECT g.code, s.session, s.boot, s.seq, s.presses FROM jackpot_tablestate s
        JOIN tables_gamingtable g ON g.id = s.table_id
        WHERE g.system_id = %s ORDER BY g.code COLLATE "C"
    """,
}
