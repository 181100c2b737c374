"""A point of the checklist that claims a thing is answered by the thing, for the database too.

An answer refers to what shows it: records of the same claim, or what was typed. A verification, and
the command of a confirmation, are refused while something is missing that the posted terms ask for
above the amount: it is there, or somebody said in words why it cannot be had. Commands are asked of
the roles of the running processes, at the end of the transaction, as in 0005.
"""

from django.db import migrations, models

_ANSWERS = """
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
"""
# What the terms of the claim's prize ask for above an amount and nobody has given, by then; NULL
# where nothing is missing. Of a confirmation whoever wins by a hand is identified.
_LACKING = """
CREATE FUNCTION evidence_lacking(
    claim bigint, amount bigint, payees jsonb DEFAULT '[]',
    said_before timestamptz DEFAULT 'infinity'
) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT string_agg(asked.thing, ', ' ORDER BY asked.thing)
    FROM settlement_claim k
    JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    JOIN jackpot_tier p ON p.id = h.tier_id
    CROSS JOIN LATERAL (
        SELECT t.document -> 'evidence' AS evidence FROM jackpot_terms t
        WHERE t.system_id = h.system_id AND t.number <= h.terms
          AND t.document -> 'tiers' @> jsonb_build_array(jsonb_build_object('code', p.code))
        ORDER BY t.number DESC LIMIT 1) AS posted
    CROSS JOIN LATERAL jsonb_each_text(posted.evidence) AS asked (thing, above)
    LEFT JOIN LATERAL (
        SELECT a.answer, a.evidence FROM settlement_checkanswer a
        WHERE a.claim_id = k.id AND a.item = asked.thing AND a.at < said_before
        ORDER BY a.id DESC LIMIT 1) AS given ON true
    WHERE k.id = claim AND amount > asked.above::bigint
      AND (given.answer = 'no' OR given.answer = 'yes' AND (
        asked.thing <> 'identity' OR NOT EXISTS (
            SELECT FROM jsonb_array_elements(payees) AS paid
            WHERE paid ->> 'role' <> 'table' AND NOT EXISTS (
                SELECT FROM settlement_identification i
                WHERE i.claim_id = k.id AND to_jsonb(i.seat) = paid -> 'seat'
                  AND given.evidence -> 'identifications' @> to_jsonb(i.id))))) IS NOT true
$$;

CREATE FUNCTION verified_on_evidence() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    comes_to bigint;
    lacking text;
BEGIN
    -- A candidate for a high hand holds nothing before its period ends.
    SELECT greatest(h.held, CASE WHEN h.strength IS NOT NULL AND h.closing IS NULL
        THEN (h.values ->> p.code)::bigint END)
    INTO comes_to FROM settlement_claim k
    JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    JOIN jackpot_tier p ON p.id = h.tier_id WHERE k.id = NEW.claim_id;
    lacking := evidence_lacking(NEW.claim_id, comes_to);
    IF lacking IS NOT NULL THEN
        RAISE EXCEPTION 'evidence: claim % is verified without: %', NEW.claim_id, lacking
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER verified_on_evidence BEFORE INSERT ON settlement_act
    FOR EACH ROW WHEN (NEW.kind = 'verify') EXECUTE FUNCTION verified_on_evidence();
ALTER TABLE settlement_act ENABLE ALWAYS TRIGGER verified_on_evidence;

CREATE FUNCTION confirmed_on_evidence() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    lacking text;
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    SELECT evidence_lacking(
        k.id, h.confirmed + (NEW.body ->> 'amount')::bigint, NEW.body -> 'payees')
    INTO lacking FROM settlement_claim k
    JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit';
    IF lacking IS NOT NULL THEN
        RAISE EXCEPTION 'evidence: command % of system % confirms a claim without: %',
            NEW.number, NEW.system_id, lacking USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER confirmed_on_evidence AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'confirm_claim')
    EXECUTE FUNCTION confirmed_on_evidence();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER confirmed_on_evidence;
"""


class Migration(migrations.Migration):
    dependencies = [("settlement", "0043_wrong_rejections")]

    operations = [
        migrations.AddField(
            model_name="checkanswer",
            name="evidence",
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.RunSQL(
            _ANSWERS,
            "DROP TRIGGER answer_shows_its_thing ON settlement_checkanswer;"
            " DROP FUNCTION answer_shows_its_thing();",
        ),
        migrations.RunSQL(
            _LACKING,
            "DROP TRIGGER confirmed_on_evidence ON jackpot_command;"
            " DROP FUNCTION confirmed_on_evidence();"
            " DROP TRIGGER verified_on_evidence ON settlement_act;"
            " DROP FUNCTION verified_on_evidence();"
            " DROP FUNCTION evidence_lacking(bigint, bigint, jsonb, timestamptz);",
        ),
    ]
