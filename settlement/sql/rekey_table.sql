-- Gives a table's unit another key, sealed, in place of the one before, for whoever may set it up, and
-- writes that down without the key. Where the unit has a credential, its key goes with that.
CREATE FUNCTION rekey_table(who integer, of_table bigint, sealed text, digest text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    system tables_jackpotsystem%ROWTYPE;
    log_in text;
BEGIN
    SELECT s.* INTO system FROM tables_jackpotsystem s
    JOIN tables_gamingtable g ON g.system_id = s.id WHERE g.id = of_table;
    log_in := require_set_up(who, 'set_up_casino', system.casino_id);
    IF sealed !~ '^([0-9a-f]{2}){48,96}$' OR digest !~ '^[0-9a-f]{64}$' THEN
        RAISE EXCEPTION 'table: the key is none' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('devices'));
    IF EXISTS (SELECT FROM tables_devicecredential c
               WHERE c.table_id = of_table AND c.kind = 'unit' AND device_holds(c.id)) THEN
        RAISE EXCEPTION 'rekey: the key of table % goes with a credential', of_table
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO tables_unitkey (table_id, sealed_key, key_digest)
    VALUES (of_table, sealed, digest)
    ON CONFLICT (table_id) DO UPDATE SET sealed_key = EXCLUDED.sealed_key,
        key_digest = EXCLUDED.key_digest, sealed_other = '', other_digest = '', other_until = NULL;
    INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
    SELECT log_in, 'table', concat(system.code, '/', g.code), system.casino_id, 'rekeyed', '{}', '{}'
    FROM tables_gamingtable g WHERE g.id = of_table;
END
$$;
REVOKE EXECUTE ON FUNCTION rekey_table(integer, bigint, text, text) FROM PUBLIC;
