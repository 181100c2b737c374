-- Makes tables of a system, each with the sealed key of its unit, for whoever may set them up; gives how
-- many. All of them or none. Keys stay where the intake alone reads them. Where terms are posted, a
-- new table is in service when somebody else puts it there (put_into_service).
CREATE FUNCTION set_up_tables(who integer, of_system bigint, said jsonb) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    one record;
    made bigint;
    count integer := 0;
    is_first boolean := NOT EXISTS (SELECT FROM jackpot_terms WHERE system_id = of_system);
BEGIN
    PERFORM set_config('jackpot.given_by', require_set_up(who, 'set_up_casino', (
        SELECT casino_id FROM tables_jackpotsystem WHERE id = of_system)), true);
    FOR one IN
        SELECT * FROM jsonb_to_recordset(said)
            AS e (code text, name text, display_key text, sealed_key text, key_digest text)
    LOOP
        IF one.code !~ '^[a-z0-9-]{1,32}$' OR one.name = ''
           OR (one.sealed_key ~ '^([0-9a-f]{2}){48,96}$' AND one.key_digest ~ '^[0-9a-f]{64}$')
              IS NOT TRUE
        THEN
            RAISE EXCEPTION 'table: % is no code, or a name or a key is missing', one.code
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        INSERT INTO tables_gamingtable (system_id, code, name, in_service, display_key)
        VALUES (of_system, one.code, one.name, is_first, one.display_key) RETURNING id INTO made;
        INSERT INTO tables_unitkey (table_id, sealed_key, key_digest)
        VALUES (made, one.sealed_key, one.key_digest);
        count := count + 1;
    END LOOP;
    -- While the owner asks: at the end of the transaction it is a move that the order lacks.
    SET CONSTRAINTS table_moves_by_the_order IMMEDIATE;
    SET CONSTRAINTS table_moves_by_the_order DEFERRED;
    RETURN count;
END
$$;
REVOKE EXECUTE ON FUNCTION set_up_tables(integer, bigint, jsonb) FROM PUBLIC;
