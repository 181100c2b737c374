-- Sets the last day of an entry that somebody ends: the present gaming day, whatever they say. So
-- nobody takes a stop off what is there already. An end by a list names who confirmed the list, who
-- was there then: the functions that take lists in write it, and nobody else.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION exclusion_ends_today() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_asked_by_owner(TG_RELID) THEN
        IF NEW.origin_id IS NOT NULL AND NOT pg_has_role(
            current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
        THEN
            RAISE EXCEPTION 'exclusions: a list ends entries where it is taken in'
                USING ERRCODE = 'insufficient_privilege';
        END IF;
        SELECT gaming_day_of(x.casino_id) INTO NEW.last_day
        FROM settlement_exclusion x WHERE x.id = NEW.exclusion_id;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER exclusion_ends_today BEFORE INSERT ON settlement_exclusionend
    FOR EACH ROW EXECUTE FUNCTION exclusion_ends_today();
ALTER TABLE settlement_exclusionend ENABLE ALWAYS TRIGGER exclusion_ends_today;
