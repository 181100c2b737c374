-- Refuses a signature that is not that of a person's own key, which signs now, for exactly the act
-- of its row: another act, amount, payee, report or person, a key that waits for its endorsement or
-- has ended, another address than the key's, a device that did not ask who is there (PIN, finger,
-- face), bytes older than a quarter of an hour, or a list of acts other than
-- payments of one claim or invitations. It computes the signature itself. A registration is by the new key itself;
-- an endorsement by the person's other key, or by somebody who may. Promise: nobody acts beyond their role, not even the console.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION signature_is_good() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    by_key settlement_signingkey%ROWTYPE;
    endorsed settlement_signingkey%ROWTYPE;
    client jsonb;
    act jsonb := act_of(NEW.source, NEW.row, NEW.person_id);
    stated jsonb;
    message bytea;
    fault text;
BEGIN
    IF is_asked_by_owner(TG_RELID) THEN
        RETURN NEW;
    END IF;
    PERFORM require_now();
    NEW.system_id := CASE NEW.source
        WHEN 'settlement_action' THEN (
            SELECT c.system_id FROM settlement_action a
            JOIN settlement_claim c ON c.id = a.claim_id WHERE a.id = NEW.row)
        WHEN 'settlement_proposaldecision' THEN (
            SELECT p.system_id FROM settlement_proposaldecision d
            JOIN settlement_proposal p ON p.id = d.proposal_id WHERE d.id = NEW.row)
        WHEN 'settlement_proposalapproval' THEN (
            SELECT p.system_id FROM settlement_proposalapproval d
            JOIN settlement_proposal p ON p.id = d.proposal_id WHERE d.id = NEW.row) END;
    SELECT * INTO by_key FROM settlement_signingkey WHERE id = NEW.key_id FOR KEY SHARE;
    NEW.at := clock_timestamp();  -- after whoever ended the key
    stated := NEW.statement::jsonb;
    client := convert_from(NEW.client_data, 'UTF8')::jsonb;
    message := NEW.authenticator_data || sha256(NEW.client_data);
    fault := CASE
        WHEN by_key.person_id IS DISTINCT FROM NEW.person_id THEN 'it is the key of somebody else'
        WHEN NEW.source = 'registration' AND NEW.row <> by_key.id
            THEN 'it is the registration of another key'
        WHEN NEW.source <> 'registration' AND NOT signing_key_holds(by_key.id)
            THEN 'the key does not sign'
        WHEN NEW.statement !~
                '^\{"acts":\[.*\],"at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ","v":1\}$'
            THEN 'its bytes are not canonical'
        WHEN (SELECT array_agg(name) FROM json_object_keys(NEW.statement::json) AS name)
                <> '{acts,at,v}' OR jsonb_typeof(stated -> 'acts') <> 'array'
            THEN 'its bytes are not canonical'
        WHEN NOT EXISTS (
            SELECT FROM jsonb_array_elements(stated -> 'acts') AS one (said) WHERE said = act)
            THEN 'it says something else'
        WHEN jsonb_array_length(stated -> 'acts') > 1 AND EXISTS (
            SELECT FROM jsonb_array_elements(stated -> 'acts') AS one (said)
            WHERE jsonb_typeof(said) <> 'object' OR (
                (said ->> 'act', said -> 'system', said -> 'claim')
                    IS DISTINCT FROM ('pay', act -> 'system', act -> 'claim')
                AND (act ->> 'kind', said ->> 'act', said ->> 'kind')
                    IS DISTINCT FROM ('invite', 'agree_set_up', 'invite')))
            THEN 'it says more than one act, and neither payments of one claim nor invitations'
        WHEN NOT coalesce((stated ->> 'at')::timestamptz BETWEEN
                NEW.at - interval '15 minutes' AND NEW.at + interval '1 minute', false) THEN 'it is too old'
        WHEN client ->> 'type' IS DISTINCT FROM 'webauthn.get'
            OR client ->> 'origin' IS DISTINCT FROM by_key.origin
            OR coalesce(client -> 'crossOrigin', 'false') <> 'false'
            OR length(NEW.authenticator_data) < 37
            OR substr(NEW.authenticator_data, 1, 32) IS DISTINCT FROM sha256(convert_to(
                substring(by_key.origin FROM '^https?://([^:/]+)(?::[0-9]+)?$'), 'UTF8'))
            THEN 'it is of another address'
        WHEN get_byte(NEW.authenticator_data, 32) & 5 <> 5 THEN 'the device asked nobody'
        WHEN client ->> 'challenge' IS DISTINCT FROM translate(
                encode(sha256(convert_to(NEW.statement, 'UTF8')), 'base64'), '+/=', '-_')
            THEN 'it signs other bytes'
        WHEN NOT CASE by_key.algorithm
                WHEN -7 THEN is_signed_es256(by_key.public_key, message, NEW.signature)
                WHEN -257 THEN is_signed_rs256(by_key.public_key, message, NEW.signature)
                ELSE false END
            THEN 'the key did not sign it'
        END;
    IF fault IS NULL AND NEW.source = 'settlement_signingkey' THEN
        SELECT * INTO endorsed FROM settlement_signingkey WHERE id = NEW.row;
        IF endorsed.id = by_key.id
           OR EXISTS (SELECT FROM settlement_signingkeyend WHERE key_id = endorsed.id)
        THEN
            fault := 'the endorsed key is the same, or has ended';
        ELSIF endorsed.person_id <> NEW.person_id
              AND NOT may_endorse_key(NEW.person_id, endorsed.person_id)
        THEN
            fault := 'the person may not endorse keys of that person';
        END IF;
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'signature: of person % for % %: %', NEW.person_id, NEW.source, NEW.row,
            fault USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER signature_is_good BEFORE INSERT ON settlement_signature
    FOR EACH ROW EXECUTE FUNCTION signature_is_good();
ALTER TABLE settlement_signature ENABLE ALWAYS TRIGGER signature_is_good;
