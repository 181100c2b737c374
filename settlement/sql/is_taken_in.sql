-- Whether a recorded row stands before a command in the order of its system: the basis of that
-- command, or of an earlier one, took it in. Whoever judged the command later in its transaction saw
-- the row, whatever the clocks did.
CREATE FUNCTION is_taken_in(of_source text, of_row bigint, of_system bigint, through bigint)
RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_record r
        WHERE (r.source, r.row, r.system_id) = (of_source, of_row, of_system)
          AND r.command <= through)
$$;
