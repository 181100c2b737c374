-- Revokes a shared tablet, for whoever administers people of its casino, and writes it down: its log-ins
-- end at once. Gives whether it was one until now.
CREATE FUNCTION end_tablet(who integer, of_number bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    it settlement_sharedtablet%ROWTYPE;
    by_whom text;
BEGIN
    SELECT * INTO STRICT it FROM settlement_sharedtablet WHERE id = of_number FOR UPDATE;
    by_whom := require_set_up(who, 'administer_people', it.casino_id);
    IF it.ended_at IS NOT NULL THEN
        RETURN false;
    END IF;
    UPDATE settlement_sharedtablet SET ended_at = clock_timestamp(), ended_by_id = who
    WHERE id = of_number;
    DELETE FROM console_session WHERE tablet_id = of_number;
    INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
    VALUES (by_whom, 'tablet', it.name, it.casino_id, 'revoked',
            jsonb_build_object('name', it.name), '{}');
    RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION end_tablet(integer, bigint) FROM PUBLIC;
