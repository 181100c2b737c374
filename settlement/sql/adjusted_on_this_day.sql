-- What was agreed to of a prize on the gaming day of an instant, now, up or down, without what the
-- writer refused: many small adjustments are one large one. Each is of the day on which its command
-- was queued. The day is computed once, as the house's clocks show its start: whoever adjusts waits.
CREATE FUNCTION adjusted_on_this_day(
    of_system bigint, of_tier text, instant timestamptz DEFAULT clock_timestamp()
) RETURNS numeric
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH day AS MATERIALIZED (
        SELECT s.id AS system, o.timezone,
               gaming_day_of(o.id, instant) + o.day_starts AS begins
        FROM tables_jackpotsystem s JOIN tables_casino o ON o.id = s.casino_id
        WHERE s.id = of_system
    )
    SELECT coalesce(sum(abs((p.body ->> 'amount')::bigint)), 0)
    FROM day
    JOIN settlement_proposal p
      ON (p.system_id, p.kind, p.subject) = (day.system, 'adjust_pool', of_tier)
    JOIN settlement_proposaldecision d ON d.proposal_id = p.id AND d.agreed
    JOIN jackpot_command c ON (c.system_id, c.number) = (p.system_id, d.command)
    LEFT JOIN jackpot_entry e ON (e.system_id, e.command) = (p.system_id, d.command)
    WHERE NOT coalesce(e.outcome ? 'refused', false)
      AND c.issued_at AT TIME ZONE day.timezone >= day.begins
      AND c.issued_at AT TIME ZONE day.timezone < day.begins + interval '1 day'
$$;
