-- Says that a log-in, whose key is shown, began at the shared tablet whose cookie is shown; whoever was
-- open there is locked, and an older log-in of the same person there ends. Gives whether there is
-- such a tablet. Promise: nobody acts as two.
CREATE FUNCTION sit_down(shown_key text, shown_tablet text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    at_tablet bigint := tablet_of(shown_tablet);
    it console_session%ROWTYPE;
BEGIN
    SELECT * INTO it FROM console_session
    WHERE session_key = left(encode(sha256(convert_to(shown_key, 'UTF8')), 'hex'), 40)
      AND person_id IS NOT NULL AND locked_at IS NULL AND expire_date > clock_timestamp();
    IF at_tablet IS NULL OR NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM lock_tablet(at_tablet);
    DELETE FROM console_session
    WHERE tablet_id = at_tablet AND person_id = it.person_id AND session_key <> it.session_key;
    UPDATE console_session SET tablet_id = at_tablet, locked_at = NULL
    WHERE session_key = it.session_key;
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION sit_down(text, text) FROM PUBLIC;
