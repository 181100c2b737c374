-- Writes each credential of a device that is issued, and its end, into the changes of set-up, without
-- what is secret.
CREATE FUNCTION device_is_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    is_end boolean := TG_TABLE_NAME = 'tables_deviceend';
    row jsonb := to_jsonb(NEW);
BEGIN
    INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
    SELECT row ->> CASE WHEN is_end THEN 'by' ELSE 'issued_by' END, 'device', c.username,
           s.casino_id, CASE WHEN is_end THEN row ->> 'kind' ELSE 'made' END, '{}',
           CASE WHEN is_end THEN jsonb_strip_nulls(jsonb_build_object(
                    'number', c.number, 'reason', nullif(row ->> 'reason', '')))
                ELSE jsonb_strip_nulls(jsonb_build_object(
                    'number', c.number, 'device', c.kind,
                    'way', CASE WHEN c.serial = '' THEN 'password' ELSE 'certificate' END,
                    'serial', nullif(c.serial, ''), 'not_after', c.not_after,
                    'overlap_until', c.overlap_until)) END
    FROM tables_devicecredential c
    LEFT JOIN tables_gamingtable g ON g.id = c.table_id
    LEFT JOIN tables_jackpotsystem s ON s.id = g.system_id
    WHERE c.id = (row ->> CASE WHEN is_end THEN 'credential_id' ELSE 'id' END)::bigint;
    RETURN NULL;
END
$$;

CREATE TRIGGER device_is_written_down AFTER INSERT ON tables_devicecredential
    FOR EACH ROW EXECUTE FUNCTION device_is_written_down();
ALTER TABLE tables_devicecredential ENABLE ALWAYS TRIGGER device_is_written_down;

CREATE TRIGGER device_is_written_down AFTER INSERT ON tables_deviceend
    FOR EACH ROW EXECUTE FUNCTION device_is_written_down();
ALTER TABLE tables_deviceend ENABLE ALWAYS TRIGGER device_is_written_down;
