-- Ends what overlaps with a unit's new key, for the intake that heard it: the broker account before,
-- and the key before, unless a display at the table may still sign with that one.
CREATE FUNCTION new_key_is_heard(of_table bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO tables_deviceend (credential_id, kind, by, reason)
    SELECT c.replaces_id, 'replaced', session_user, '' FROM tables_devicecredential c
    JOIN tables_unitkey k ON k.table_id = c.table_id
    WHERE c.table_id = of_table AND c.kind = 'unit' AND c.replaces_id IS NOT NULL
      AND k.key_digest <> '' AND c.key_digest = k.key_digest
      AND device_holds(c.replaces_id)
    ON CONFLICT DO NOTHING;
    UPDATE tables_unitkey k SET sealed_other = '', other_digest = '', other_until = NULL
    WHERE k.table_id = of_table AND k.sealed_other <> '' AND NOT EXISTS (
        SELECT FROM tables_devicecredential d
        WHERE d.table_id = of_table AND d.kind = 'display' AND device_holds(d.id));
END
$$;
REVOKE EXECUTE ON FUNCTION new_key_is_heard(bigint) FROM PUBLIC;
