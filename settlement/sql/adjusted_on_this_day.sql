-- What was agreed to of a prize on this gaming day, up or down, without what the writer
-- refused: many small adjustments are one large one.
CREATE FUNCTION adjusted_on_this_day(of_system bigint, of_tier text) RETURNS numeric
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce(sum(abs((p.body ->> 'amount')::bigint)), 0)
    FROM tables_jackpotsystem s JOIN tables_casino c ON c.id = s.casino_id
    JOIN settlement_proposal p
      ON (p.system_id, p.kind, p.subject) = (s.id, 'adjust_pool', of_tier)
    JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
    LEFT JOIN jackpot_entry e ON (e.system_id, e.command) = (p.system_id, d.command)
    WHERE s.id = of_system AND NOT coalesce(e.outcome ? 'refused', false)
      AND d.at >= (gaming_day_of(c.id) + c.day_starts) AT TIME ZONE c.timezone
$$;
