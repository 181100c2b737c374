-- Gives an endpoint another secret, sealed, for whoever may set its casino up; the one before signs, too,
-- for so long, seven days at most (NULL: it ends now). While two sign there is no third beside them: a
-- request sent again would end the one that the receiver has. False: the endpoint has ended.
CREATE FUNCTION rotate_webhook(who integer, number bigint, sealed bytea, overlap interval)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    it settlement_webhookendpoint%ROWTYPE;
    log_in text;
BEGIN
    SELECT * INTO it FROM settlement_webhookendpoint WHERE id = number FOR UPDATE;
    log_in := require_set_up(who, 'set_up_casino', it.casino_id);
    IF overlap > interval '7 days' OR overlap <= interval '0' THEN
        RAISE EXCEPTION 'overlap: old and new hold side by side for at most seven days'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF overlap IS NOT NULL AND it.ended_at IS NULL AND it.old_until > clock_timestamp() THEN
        RAISE EXCEPTION 'two_secrets: both of webhook % sign until %', number, it.old_until
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE settlement_webhookendpoint
    SET secret = sealed, old_secret = CASE WHEN overlap IS NOT NULL THEN it.secret END,
        old_until = clock_timestamp() + overlap
    WHERE id = number AND ended_at IS NULL;
    IF FOUND THEN
        INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
        VALUES (log_in, 'webhook', it.name, it.casino_id, 'rekeyed', '{}',
                jsonb_build_object('hours', coalesce(extract(epoch FROM overlap) / 3600, 0)::int));
    END IF;
    RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION rotate_webhook(integer, bigint, bytea, interval) FROM PUBLIC;
