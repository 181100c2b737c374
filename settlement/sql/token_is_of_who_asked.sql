-- Refuses an access token without the proof of its person's password or what was confirmed at the
-- log-in provider, or for more than 366 days; one that was ended stays ended. Somebody else ends it who is there and administers people.
-- It keeps no proof. A program's token is issued by who administers it, with that person's proof, within
-- its scopes and systems, once its role is agreed to. The end of a token comes earlier, never later.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION token_is_of_who_asked() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    shown bytea := NEW.proof;
    it settlement_program%ROWTYPE;
    issuer integer := coalesce(NEW.issued_by_id, NEW.person_id);
BEGIN
    NEW.proof := NULL;
    IF TG_OP = 'UPDATE' THEN
        IF NEW.expires_at > OLD.expires_at THEN
            RAISE EXCEPTION 'token: % ends no later than it was issued for', OLD.id
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        IF OLD.revoked_at IS NOT NULL THEN
            NEW.revoked_at := OLD.revoked_at;
            NEW.ended_by_id := OLD.ended_by_id;
        ELSIF NEW.revoked_at IS NOT NULL THEN
            NEW.revoked_at := clock_timestamp();
            IF NEW.ended_by_id IS NOT NULL AND NOT is_asked_by_owner(TG_RELID) THEN
                PERFORM require_person(NEW.ended_by_id, NEW.person_id);
            END IF;
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.expires_at > clock_timestamp() + interval '366 days 1 minute' THEN
        RAISE EXCEPTION 'token: it holds for 366 days at most'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    SELECT * INTO it FROM settlement_program WHERE person_id = NEW.person_id;
    IF (it.person_id IS NULL) <> (NEW.issued_by_id IS NULL)
       OR NOT coalesce(NEW.scopes::text[] <@ it.scopes::text[], true)
       OR it.systems IS NOT NULL AND NOT coalesce(NEW.systems <@ it.systems, false)
       OR it.person_id IS NOT NULL AND NOT EXISTS (SELECT FROM roles_held(NEW.person_id))
    THEN
        RAISE EXCEPTION 'token: it is not within what person % may', NEW.person_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
    PERFORM require_now();
    PERFORM hold_person(NEW.person_id);
    IF it.person_id IS NOT NULL THEN
        PERFORM require_person(issuer, NEW.person_id);
    END IF;
    IF NOT EXISTS (
        SELECT FROM auth_user
        WHERE id = issuer AND is_active
          AND (proves(password, shown) OR provider_confirmed(id, shown)))
    THEN
        RAISE EXCEPTION 'token: the password of person % was not shown', issuer
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER token_is_of_who_asked BEFORE INSERT OR UPDATE ON settlement_accesstoken
    FOR EACH ROW EXECUTE FUNCTION token_is_of_who_asked();
ALTER TABLE settlement_accesstoken ENABLE ALWAYS TRIGGER token_is_of_who_asked;
