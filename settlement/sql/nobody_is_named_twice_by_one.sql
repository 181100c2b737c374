-- Refuses that one person names the same colleague of the same time at a table twice, so that
-- no click is repeated for ever.
CREATE FUNCTION nobody_is_named_twice_by_one() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff_play'), NEW.person_id);
    IF EXISTS (
        SELECT FROM settlement_staffplay p
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        WHERE p.person_id = NEW.person_id AND p.table_id = NEW.table_id
          AND p.said_by_id = NEW.said_by_id
          AND p.since <= coalesce(NEW.until, 'infinity')
          AND coalesce(p.until, e.at, 'infinity') >= NEW.since
    ) THEN
        RAISE EXCEPTION 'named_before: person % has named person % of that time already',
            NEW.said_by_id, NEW.person_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER nobody_is_named_twice_by_one BEFORE INSERT ON settlement_staffplay
    FOR EACH ROW WHEN (NEW.said_by_id <> NEW.person_id)
    EXECUTE FUNCTION nobody_is_named_twice_by_one();
ALTER TABLE settlement_staffplay ENABLE ALWAYS TRIGGER nobody_is_named_twice_by_one;
