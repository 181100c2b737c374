-- What was agreed to of a prize on the gaming day of an instant, now, up or down, without what the
-- writer refused: many small adjustments are one large one. Each is of the day on which its command
-- was queued.
CREATE FUNCTION adjusted_on_this_day(
    of_system bigint, of_tier text, instant timestamptz DEFAULT clock_timestamp()
) RETURNS numeric
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce(sum(abs((p.body ->> 'amount')::bigint)), 0)
    FROM tables_jackpotsystem s
    JOIN settlement_proposal p
      ON (p.system_id, p.kind, p.subject) = (s.id, 'adjust_pool', of_tier)
    JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
    JOIN jackpot_command c ON (c.system_id, c.number) = (p.system_id, d.command)
    LEFT JOIN jackpot_entry e ON (e.system_id, e.command) = (p.system_id, d.command)
    WHERE s.id = of_system AND NOT coalesce(e.outcome ? 'refused', false)
      AND gaming_day_of(s.casino_id, c.issued_at) = gaming_day_of(s.casino_id, instant)
$$;
