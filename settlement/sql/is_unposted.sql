-- Whether nothing of a casino was posted, neither terms nor any entry of an order; it stays so to
-- the end of the transaction. A writer that folds holds its head: it waits there, and reads the
-- casino again. Where there is no head yet, whoever makes one waits for the system.
CREATE FUNCTION is_unposted(of_casino bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM jackpot_head WHERE system_id IN (
        SELECT id FROM tables_jackpotsystem WHERE casino_id = of_casino)
    ORDER BY system_id FOR UPDATE;
    PERFORM FROM tables_casino WHERE id = of_casino FOR UPDATE;
    PERFORM FROM tables_jackpotsystem WHERE casino_id = of_casino ORDER BY id FOR UPDATE;
    PERFORM FROM jackpot_head WHERE system_id IN (
        SELECT id FROM tables_jackpotsystem WHERE casino_id = of_casino)
    ORDER BY system_id FOR UPDATE;
    RETURN NOT EXISTS (
        SELECT FROM tables_jackpotsystem s WHERE s.casino_id = of_casino AND (
            EXISTS (SELECT FROM jackpot_entry WHERE system_id = s.id)
            OR EXISTS (SELECT FROM jackpot_terms WHERE system_id = s.id)));
END
$$;
