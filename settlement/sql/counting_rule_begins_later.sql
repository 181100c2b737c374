-- Whether drop and bank are counted changes from a later gaming day on than that on which two people
-- decided it: what is over was counted, or closed, by the rule of its day. The day is that of this
-- moment: an agreement may have waited for a lock while another day began. Promise: nothing is
-- rewritten.
CREATE FUNCTION counting_rule_begins_later() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.since <= gaming_day_of(NEW.casino_id, clock_timestamp()) THEN
        RAISE EXCEPTION 'counting_day: % has begun in casino %', NEW.since, NEW.casino_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER counting_rule_begins_later BEFORE INSERT ON settlement_countingrule
    FOR EACH ROW EXECUTE FUNCTION counting_rule_begins_later();
ALTER TABLE settlement_countingrule ENABLE ALWAYS TRIGGER counting_rule_begins_later;
