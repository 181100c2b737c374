"""Who acts is logged in, or has just given the password: the database asks at each act.

Whoever acts through the web process shows either the key of a session, whose hash stands in
`console_session` beside its person, or the proof of the password (0051), in the setting
`jackpot.shown` of the connection (`settlement/presence.py`). Reading the tables gives neither.
Asked of the running processes, as in 0049.
"""

import json

from django.db import migrations

# By recorded table: the columns that name who acts now; of every other table it is `person_id`.
_ACTING: dict[str, list[str]] = {
    "jackpot_setaside": ["second"],  # the first of the two was there at the proposal
    "settlement_staffplay": ["said_by_id"],
    "settlement_staffplayend": ["said_by_id"],
    "settlement_handover": ["outgoing_id", "incoming_id"],
    "tables_closedgap": ["closed_by"],
    "tables_alarm": ["cleared_by"],
    # These name nobody, or the owner wrote them.
    "settlement_claim": [],
    "settlement_payout": [],
    "settlement_secondmanagerlimit": [],
    "settlement_missedroundslimit": [],
    "settlement_termsfactor": [],
    "settlement_rolechange": [],
    "settlement_rolepermissions": [],
    "tables_erabegun": [],
}
_GUARD = f"""
-- Whether this connection shows the key of a session of the person, or the proof of the password.
CREATE FUNCTION is_there(who integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH shown AS (
        SELECT one FROM unnest(string_to_array(current_setting('jackpot.shown', true), ' ')) AS one)
    SELECT EXISTS (
        SELECT FROM shown JOIN console_session s
            ON s.session_key = left(encode(sha256(convert_to(one, 'UTF8')), 'hex'), 40)
        WHERE s.person_id = who AND s.expire_date > clock_timestamp()
    ) OR EXISTS (
        SELECT FROM shown JOIN auth_user u ON u.id = who AND u.is_active
        WHERE proves(
            u.password, CASE WHEN one ~ '^[0-9a-f]{{64}}$' THEN decode(one, 'hex') END))
$$;

CREATE FUNCTION whoever_acts_proves_it() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    acting jsonb := coalesce('{json.dumps(_ACTING)}'::jsonb -> NEW.source, '["person_id"]');
    said jsonb := NEW.said::jsonb;
    named text;
    who integer;
BEGIN
    IF is_asked_by_owner(TG_RELID) THEN
        RETURN NULL;
    END IF;
    FOR named IN SELECT * FROM jsonb_array_elements_text(acting) LOOP
        IF NEW.source IN ('settlement_incident', 'settlement_bundleexport')
           AND said ->> named IS NULL
        THEN
            CONTINUE;  -- found by the console, taken on the server
        ELSIF named LIKE '%\\_id' THEN
            who := (said ->> named)::integer;
        ELSE
            SELECT u.id INTO who FROM auth_user u WHERE u.username = said ->> named;
        END IF;
        IF NOT is_there(who) THEN
            RAISE EXCEPTION 'log-in: % of %, person %, is not there', named, NEW.source, who
                USING ERRCODE = 'insufficient_privilege';
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
CREATE TRIGGER whoever_acts_proves_it AFTER INSERT ON settlement_record
    FOR EACH ROW EXECUTE FUNCTION whoever_acts_proves_it();
ALTER TABLE settlement_record ENABLE ALWAYS TRIGGER whoever_acts_proves_it;

CREATE FUNCTION whoever_says_it_proves_it() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT is_asked_by_owner(TG_RELID) AND NOT EXISTS (
        SELECT FROM auth_user u WHERE u.username = NEW.first AND is_there(u.id))
    THEN
        RAISE EXCEPTION 'log-in: %, who says %, is not there', NEW.first, NEW.kind
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER whoever_says_it_proves_it AFTER INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.kind IN ('suspend', 'resume'))
    EXECUTE FUNCTION whoever_says_it_proves_it();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER whoever_says_it_proves_it;
"""
_NO_GUARD = """
DROP TRIGGER whoever_says_it_proves_it ON jackpot_command;
DROP FUNCTION whoever_says_it_proves_it();
DROP TRIGGER whoever_acts_proves_it ON settlement_record;
DROP FUNCTION whoever_acts_proves_it();
DROP FUNCTION is_there(integer);
"""


class Migration(migrations.Migration):
    dependencies = [("settlement", "0055_access_notes")]

    operations = [migrations.RunSQL(_GUARD, _NO_GUARD)]
