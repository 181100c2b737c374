-- Refuses a handover signed by somebody who may not log in, and gives it the time of the
-- database.
CREATE FUNCTION handover_is_signed_by_both() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW.at := clock_timestamp();
    IF (SELECT count(*) FROM auth_user
        WHERE is_active AND id IN (NEW.outgoing_id, NEW.incoming_id)) <> 2
    THEN
        RAISE EXCEPTION 'two_people: a handover is signed by two people who may log in'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER handover_is_signed_by_both BEFORE INSERT ON settlement_handover
    FOR EACH ROW EXECUTE FUNCTION handover_is_signed_by_both();
ALTER TABLE settlement_handover ENABLE ALWAYS TRIGGER handover_is_signed_by_both;
