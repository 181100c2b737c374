-- Refuses a signing key whose passkey did not sign its registration, all of the key: to add one to
-- somebody takes that device in the hand of whom it asks (PIN, finger, face), and no password does.
-- Judged at the end of the transaction: the signature names the row of its key.
-- Promise: nobody acts beyond their role, not even the console.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION signing_key_signed_its_registration() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_asked_by_owner(TG_RELID) AND NOT EXISTS (
        SELECT FROM settlement_signature s
        WHERE s.source = 'registration' AND s.row = NEW.id AND s.key_id = NEW.id)
    THEN
        RAISE EXCEPTION 'signature: key % of person % did not sign its registration',
            NEW.id, NEW.person_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER signing_key_signed_its_registration AFTER INSERT ON settlement_signingkey
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    EXECUTE FUNCTION signing_key_signed_its_registration();
ALTER TABLE settlement_signingkey ENABLE ALWAYS TRIGGER signing_key_signed_its_registration;
