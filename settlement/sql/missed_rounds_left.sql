-- How many more missed rounds of a table one person credits on this gaming day; `through`: by the
-- limit on which that command rests.
CREATE FUNCTION missed_rounds_left(of_table bigint, through bigint DEFAULT NULL) RETURNS integer
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT greatest(0, missed_rounds_alone(s.casino_id, s.id, through) - coalesce((
        SELECT sum(r.count) FROM settlement_ruling r
        WHERE r.table_id = g.id AND r.day = gaming_day_of(s.casino_id)
          AND r.kind = 'missed_rounds'), 0))::int
    FROM tables_gamingtable g JOIN tables_jackpotsystem s ON s.id = g.system_id
    WHERE g.id = of_table
$$;
