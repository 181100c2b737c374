-- Renames a table, for whoever may set it up.
CREATE FUNCTION rename_table(who integer, of_table bigint, named text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
BEGIN
    PERFORM set_config('jackpot.given_by', require_set_up(who, 'set_up_casino', (
        SELECT s.casino_id FROM tables_gamingtable g
        JOIN tables_jackpotsystem s ON s.id = g.system_id WHERE g.id = of_table)), true);
    UPDATE tables_gamingtable SET name = named WHERE id = of_table;
    -- While the owner asks: at the end of the transaction it is a move that the order lacks.
    SET CONSTRAINTS table_moves_by_the_order IMMEDIATE;
    SET CONSTRAINTS table_moves_by_the_order DEFERRED;
END
$$;
REVOKE EXECUTE ON FUNCTION rename_table(integer, bigint, text) FROM PUBLIC;
