-- Opens a locked session, whose key is shown, for who shows the proof of the PIN or of the password,
-- or both halves of a fresh log-in at the provider, or has used a passkey since the lock. Gives what came of it: "open", "wrong", "ended" by a fifth wrong
-- PIN, or "none" where no such session is locked. What was wrong is counted until password or passkey
-- open it: else whoever tries a colleague's PIN has four tries each time.
CREATE FUNCTION unlock_session(shown_key text, shown bytea, passkey bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    it console_session%ROWTYPE;
    by_pin boolean;
BEGIN
    SELECT s.* INTO it FROM console_session s JOIN auth_user u ON u.id = s.person_id AND u.is_active
    WHERE s.session_key = left(encode(sha256(convert_to(shown_key, 'UTF8')), 'hex'), 40)
      AND s.locked_at IS NOT NULL AND s.expire_date > clock_timestamp()
    FOR UPDATE OF s;
    IF NOT FOUND THEN
        RETURN 'none';
    END IF;
    by_pin := it.wrong_pins < 5 AND proves_pin(it.person_id, shown);
    IF NOT by_pin
       AND NOT (SELECT proves(password, shown) FROM auth_user WHERE id = it.person_id)
       AND NOT EXISTS (
           SELECT FROM settlement_secondfactor f
           WHERE f.id = passkey AND f.person_id = it.person_id AND f.kind = 'passkey'
             AND f.ended_at IS NULL AND f.used_at > it.locked_at)
       AND NOT take_provider_log_in(it.person_id, shown, 'unlock')
    THEN
        RETURN pin_is_wrong(it.session_key);
    END IF;
    UPDATE console_session SET locked_at = NULL,
        wrong_pins = CASE WHEN by_pin THEN wrong_pins ELSE 0 END
    WHERE session_key = it.session_key;
    RETURN 'open';
END
$$;
REVOKE EXECUTE ON FUNCTION unlock_session(text, bytea, bigint) FROM PUBLIC;
