-- Writes down that a casino is set up and opens, for whoever may set it up; once.
CREATE FUNCTION open_casino(who integer, of_casino bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
    SELECT require_set_up(who, 'set_up_casino', c.id), 'casino', c.code, c.id, 'opened', '{}', '{}'
    FROM tables_casino c WHERE c.id = of_casino AND NOT EXISTS (
        SELECT FROM settlement_setupchange e
        WHERE e.kind = 'casino' AND e.casino_id = of_casino AND e.what = 'opened');
END
$$;
REVOKE EXECUTE ON FUNCTION open_casino(integer, bigint) FROM PUBLIC;
