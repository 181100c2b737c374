-- Ends a credential of a device at once, for whoever may set its table up. The unit's key goes with
-- it: the one before holds again while it overlaps and its own credential holds, else an empty one
-- stands there, that nobody knows, so that the intake refuses whatever is signed with the old key. With a table's
-- last credential its key ends, wherever it came from.
CREATE FUNCTION revoke_device(who integer, of_credential bigint, because text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    one tables_devicecredential%ROWTYPE;
    log_in text;
BEGIN
    SELECT * INTO one FROM tables_devicecredential WHERE id = of_credential;
    log_in := require_set_up(who, 'set_up_casino', (
        SELECT s.casino_id FROM tables_gamingtable g
        JOIN tables_jackpotsystem s ON s.id = g.system_id WHERE g.id = one.table_id));
    PERFORM pg_advisory_xact_lock(hashtext('devices'));
    IF NOT device_holds(of_credential) THEN
        RAISE EXCEPTION 'ended: credential % holds no longer', of_credential
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF because = '' THEN
        RAISE EXCEPTION 'device: no reason was given'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO tables_deviceend (credential_id, kind, by, reason)
    VALUES (of_credential, 'revoked', log_in, because);
    UPDATE tables_unitkey k
    SET (sealed_key, key_digest) = (
            SELECT k.sealed_other, k.other_digest
            WHERE k.other_until > clock_timestamp() AND EXISTS (
                SELECT FROM tables_devicecredential c
                WHERE c.table_id = k.table_id AND c.kind = 'unit' AND device_holds(c.id)
                  AND c.key_digest = k.other_digest)
            UNION ALL SELECT '', '' LIMIT 1),
        sealed_other = '', other_digest = '', other_until = NULL
    WHERE k.table_id = one.table_id AND one.kind = 'unit'
      AND (one.key_digest = k.key_digest OR NOT EXISTS (
          SELECT FROM tables_devicecredential c
          WHERE c.table_id = k.table_id AND c.kind = 'unit' AND device_holds(c.id)));
    UPDATE tables_unitkey k SET sealed_other = '', other_digest = '', other_until = NULL
    WHERE k.table_id = one.table_id AND k.sealed_other <> ''
      AND one.key_digest = k.other_digest;
END
$$;
REVOKE EXECUTE ON FUNCTION revoke_device(integer, bigint, text) FROM PUBLIC;
