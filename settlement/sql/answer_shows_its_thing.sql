-- Refuses a "yes" on the checklist without the thing that shows it: records of the same claim,
-- or what was typed; and any other answer without a word that says why.
CREATE FUNCTION answer_shows_its_thing() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    shows jsonb := NEW.evidence;
    is_shown boolean;
BEGIN
    IF NEW.answer <> 'yes' THEN
        IF btrim(NEW.note) = '' THEN
            RAISE EXCEPTION 'evidence: % is answered without a word that says why', NEW.item
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END IF;
    is_shown := CASE NEW.item
        WHEN 'surveillance' THEN
            jsonb_array_length(shows -> 'footage') > 0 AND NOT EXISTS (
                SELECT FROM jsonb_array_elements_text(shows -> 'footage') AS named (id)
                LEFT JOIN settlement_footage r
                  ON r.id = named.id::bigint AND r.claim_id = NEW.claim_id
                WHERE r.id IS NULL)
        WHEN 'photographed' THEN
            jsonb_array_length(shows -> 'attachments') > 0 AND NOT EXISTS (
                SELECT FROM jsonb_array_elements_text(shows -> 'attachments') AS named (id)
                LEFT JOIN settlement_attachment r
                  ON r.id = named.id::bigint AND r.claim_id = NEW.claim_id
                WHERE r.id IS NULL)
        WHEN 'identity' THEN
            jsonb_array_length(shows -> 'identifications') > 0 AND NOT EXISTS (
                SELECT FROM jsonb_array_elements_text(shows -> 'identifications') AS named (id)
                LEFT JOIN settlement_identification r
                  ON r.id = named.id::bigint AND r.claim_id = NEW.claim_id
                WHERE r.id IS NULL)
        WHEN 'deck_counted' THEN
            jsonb_typeof(shows -> 'suits') = 'object' AND shows -> 'suits' ?& ARRAY['s','h','d','c']
            AND (shows -> 'tick' IS NULL OR EXISTS (
                SELECT FROM settlement_decktick r
                WHERE r.id = (shows ->> 'tick')::bigint AND r.claim_id = NEW.claim_id))
        WHEN 'sealed' THEN btrim(shows ->> 'bag') <> ''
        WHEN 'display' THEN btrim(shows ->> 'reading') <> ''
        WHEN 'witness' THEN btrim(shows ->> 'name') <> '' AND btrim(shows ->> 'capacity') <> ''
        ELSE true END;
    IF is_shown IS NOT true THEN
        RAISE EXCEPTION 'evidence: % is answered with a word where a thing is asked for', NEW.item
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER answer_shows_its_thing BEFORE INSERT ON settlement_checkanswer
    FOR EACH ROW EXECUTE FUNCTION answer_shows_its_thing();
ALTER TABLE settlement_checkanswer ENABLE ALWAYS TRIGGER answer_shows_its_thing;
