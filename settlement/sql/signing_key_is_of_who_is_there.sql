-- Refuses a signing key that is not one of the passkeys of whoever is there, and says which is the
-- first of the house: with nobody to endorse it, it is believed as it came. It is of somebody who may
-- endorse others, or nobody could. Of several at once one is. Promise: nobody acts beyond their role.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION signing_key_is_of_who_is_there() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('signing_keys'));
    NEW.is_first := NOT EXISTS (SELECT FROM settlement_signingkey);
    IF is_asked_by_owner(TG_RELID) THEN
        RETURN NEW;
    END IF;
    NEW.at := clock_timestamp();
    IF NOT is_there(NEW.person_id) THEN
        RAISE EXCEPTION 'log-in: person %, whose signing key it is, is not there', NEW.person_id
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NEW.is_first AND NOT EXISTS (
        SELECT FROM roles_held(NEW.person_id) AS held
        WHERE held.permissions ?| '{second_set_up,administer_people}')
    THEN
        RAISE EXCEPTION 'signature: the first key of the house is not that of person %, who could'
            ' endorse nobody', NEW.person_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_secondfactor f
        WHERE f.id = NEW.factor AND f.person_id = NEW.person_id AND f.kind = 'passkey'
          AND f.ended_at IS NULL AND position(NEW.credential_id IN f.material) > 0
          AND CASE NEW.algorithm
              WHEN -7 THEN length(NEW.public_key) = 64 AND position(
                  '\x215820' || substr(NEW.public_key, 1, 32) || '\x225820'
                  || substr(NEW.public_key, 33) IN f.material) > 0
              WHEN -257 THEN position(NEW.public_key IN f.material) > 0
              ELSE false END)
    THEN
        RAISE EXCEPTION 'signature: this is no passkey of person %', NEW.person_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER signing_key_is_of_who_is_there BEFORE INSERT ON settlement_signingkey
    FOR EACH ROW EXECUTE FUNCTION signing_key_is_of_who_is_there();
ALTER TABLE settlement_signingkey ENABLE ALWAYS TRIGGER signing_key_is_of_who_is_there;
