-- Gives a device a credential for the broker, and a table's unit another key with it, for whoever may
-- set the table up; an intake's, for whoever may in every casino. The one that it replaces, and the
-- key before, hold beside it until `overlap_until` at most. Only hashes of passwords come here; the
-- key comes sealed, and stays where the intake alone reads it.
CREATE FUNCTION issue_device(who integer, said jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    one record;
    place text;
    of_casino bigint;
    log_in text;
    made bigint;
BEGIN
    SELECT * INTO one FROM jsonb_to_record(said) AS e (
        kind text, table_id bigint, name text, number integer, username text, password_hash text,
        serial text, fingerprint text, not_after timestamptz, sealed_key text,
        key_digest text, replaces_id bigint, overlap_until timestamptz);
    SELECT s.casino_id, concat(s.code, '/', g.code) INTO of_casino, place
    FROM tables_gamingtable g JOIN tables_jackpotsystem s ON s.id = g.system_id
    WHERE g.id = one.table_id AND g.moved_to_id IS NULL;
    log_in := require_set_up(who, 'set_up_casino', of_casino);
    PERFORM pg_advisory_xact_lock(hashtext('devices'));
    place := CASE one.kind WHEN 'unit' THEN place
                           WHEN 'display' THEN place || '/readings'
                           WHEN 'intake' THEN 'console/' || one.name END;
    IF place IS NULL OR one.username NOT IN (place, place || '.' || one.number)
       OR (one.kind = 'intake') <> (one.table_id IS NULL)
       OR (one.kind = 'intake' AND one.name !~ '^[a-z0-9-]{1,32}$')
       OR (one.password_hash <> ''
           AND one.password_hash !~ '^\$7\$[0-9]+\$[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+$')
       OR (one.serial <> '' AND one.serial !~ '^[0-9a-f]{1,40}$')
       OR (one.serial = '' AND one.fingerprint <> '')
       OR (one.serial <> '' AND one.fingerprint !~ '^[0-9a-f]{64}$')
       OR (one.kind = 'unit') <> coalesce(one.sealed_key ~ '^([0-9a-f]{2}){48,96}$', false)
       OR (one.kind = 'unit') <> coalesce(one.key_digest ~ '^[0-9a-f]{64}$', false)
       OR one.overlap_until > clock_timestamp() + interval '7 days 1 minute'
    THEN
        RAISE EXCEPTION 'device: this is no credential of such a device'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    -- Of one device at most two hold: the one that is replaced, and its successor. No two have a name.
    IF EXISTS (
        SELECT FROM tables_devicecredential c
        WHERE device_holds(c.id) AND (c.username = one.username
            OR (c.kind = one.kind AND c.table_id IS NOT DISTINCT FROM one.table_id
                AND c.name = one.name AND c.id IS DISTINCT FROM one.replaces_id)))
       OR (one.replaces_id IS NOT NULL AND (one.overlap_until IS NULL OR NOT EXISTS (
           SELECT FROM tables_devicecredential c
           WHERE c.id = one.replaces_id AND c.kind = one.kind
             AND c.table_id IS NOT DISTINCT FROM one.table_id AND c.name = one.name
             AND device_holds(c.id))))
    THEN
        RAISE EXCEPTION 'holds: % has another credential that holds', place
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF one.kind = 'unit' THEN
        INSERT INTO tables_unitkey (table_id, sealed_key, key_digest)
        VALUES (one.table_id, one.sealed_key, one.key_digest)
        ON CONFLICT (table_id) DO UPDATE SET sealed_key = EXCLUDED.sealed_key,
            key_digest = EXCLUDED.key_digest,
            sealed_other = CASE WHEN one.overlap_until IS NULL THEN ''
                                ELSE tables_unitkey.sealed_key END,
            other_digest = CASE WHEN one.overlap_until IS NULL THEN ''
                                ELSE tables_unitkey.key_digest END,
            other_until = one.overlap_until;
    END IF;
    INSERT INTO tables_devicecredential (
        kind, table_id, name, number, username, password_hash, serial, fingerprint, not_after,
        key_digest, replaces_id, overlap_until, issued_by)
    VALUES (
        one.kind, one.table_id, one.name, one.number, one.username, one.password_hash, one.serial,
        one.fingerprint, one.not_after,
        CASE WHEN one.kind = 'unit' THEN one.key_digest ELSE '' END,
        one.replaces_id, one.overlap_until, log_in)
    RETURNING id INTO made;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION issue_device(integer, jsonb) FROM PUBLIC;
