-- Puts a table into service that was made beside posted terms, for whoever agrees to moves of
-- tables there: not for the administrator who made it.
CREATE FUNCTION put_into_service(who integer, of_table bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
BEGIN
    PERFORM set_config('jackpot.given_by', require_set_up(who, 'second_move', (
        SELECT s.casino_id FROM tables_gamingtable g
        JOIN tables_jackpotsystem s ON s.id = g.system_id WHERE g.id = of_table)), true);
    UPDATE tables_gamingtable SET in_service = true
    WHERE id = of_table AND NOT in_service AND moved_to_id IS NULL;
    -- While the owner asks: at the end of the transaction it is a move that the order lacks.
    SET CONSTRAINTS table_moves_by_the_order IMMEDIATE;
    SET CONSTRAINTS table_moves_by_the_order DEFERRED;
END
$$;
REVOKE EXECUTE ON FUNCTION put_into_service(integer, bigint) FROM PUBLIC;
