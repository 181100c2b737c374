-- Opens the log-in of whoever logged in at this shared tablet within the shift, against its cookie, the
-- badge number and the proof of the PIN, under a new key; whoever was open there is locked. Gives "open",
-- "wrong", "ended" by a fifth wrong PIN, or "none" where nobody of that badge may come back there.
-- Promise: nobody acts as two.
CREATE FUNCTION come_back(shown_tablet text, of_badge text, shown bytea, new_key text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    at_tablet bigint := tablet_of(shown_tablet);
    it console_session%ROWTYPE;
BEGIN
    SELECT s.* INTO it FROM console_session s
    JOIN auth_user u ON u.id = s.person_id AND u.is_active
    JOIN settlement_badge b ON b.person_id = s.person_id AND b.number = of_badge
    WHERE s.tablet_id = at_tablet AND s.expire_date > clock_timestamp()
    ORDER BY s.expire_date DESC LIMIT 1 FOR UPDATE OF s;
    IF NOT FOUND THEN
        RETURN 'none';
    END IF;
    IF it.wrong_pins >= 5 OR NOT proves_pin(it.person_id, shown) THEN
        RETURN pin_is_wrong(it.session_key);
    END IF;
    PERFORM lock_tablet(at_tablet);
    UPDATE console_session SET locked_at = NULL,
        session_key = left(encode(sha256(convert_to(new_key, 'UTF8')), 'hex'), 40)
    WHERE session_key = it.session_key;
    INSERT INTO settlement_securityevent (at, what, username, by, detail)
    SELECT clock_timestamp(), 'came_back', u.username, session_user, t.name
    FROM auth_user u, settlement_sharedtablet t WHERE u.id = it.person_id AND t.id = at_tablet;
    RETURN 'open';
END
$$;
REVOKE EXECUTE ON FUNCTION come_back(text, text, bytea, text) FROM PUBLIC;
