-- Writes the receipt that a unit gets when a person gives up its missing events. The web
-- process writes no receipts: it asks for this one, which says what the rows say. 9007199253 is
-- tables.protocol.messages.MAX_BOOT.
CREATE FUNCTION tell_what_is_held(told bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO tables_outboxmessage (system_id, topic, payload, retain, created)
    SELECT s.system_id, format('jackpot/v1/%s/%s/receipts', y.code, g.code),
           convert_to(json_build_object(
               'v', 1, 'era', y.era, 'boot', s.boot, 'committed_seq', s.committed_seq,
               'next_boot', least(9007199253, 1 + (
                   SELECT coalesce(max(boot), 0) FROM tables_stream
                   WHERE system_id = s.system_id AND table_id = s.table_id AND NOT discarded)),
               'resend_from', CASE WHEN s.last_seq > s.committed_seq THEN s.committed_seq + 1 END,
               'results', json_build_array())::text, 'UTF8'),
           false, now()
    FROM tables_stream s JOIN tables_gamingtable g ON g.id = s.table_id
    JOIN tables_jackpotsystem y ON y.id = s.system_id
    WHERE s.id = told;
    PERFORM pg_notify('jackpot_outbox', '');
END
$$;
REVOKE ALL ON FUNCTION tell_what_is_held(bigint) FROM PUBLIC;
