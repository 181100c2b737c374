-- What one manager may confirm or adjust in a system's casino, in micros, by what a command of the
-- system rests on; NULL: anything.
CREATE FUNCTION one_manager_may(of_system bigint, through bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT l.amount FROM settlement_secondmanagerlimit l
    JOIN tables_jackpotsystem s ON s.casino_id = l.casino_id
    WHERE s.id = of_system AND is_taken_in('settlement_secondmanagerlimit', l.id, s.id, through)
    ORDER BY l.id DESC LIMIT 1
$$;
