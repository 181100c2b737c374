-- Refuses a command that would release or give away the money of a claim that is disputed or
-- held.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION stopped_claim_is_not_paid() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
    IF EXISTS (
        SELECT FROM jackpot_hit h, jsonb_array_elements(h.stops) AS stop
        WHERE h.system_id = NEW.system_id AND to_jsonb(h.number) = NEW.body -> 'hit'
          AND stop -> 'lifted' = 'null'
    ) THEN
        RAISE EXCEPTION 'stopped: % of a claim that is disputed or held by the regulator',
            NEW.kind USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER stopped_claim_is_not_paid BEFORE INSERT ON jackpot_command FOR EACH ROW
    WHEN (NEW.kind IN ('confirm_claim', 'pay', 'unclaimed', 'forfeit'))
    EXECUTE FUNCTION stopped_claim_is_not_paid();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER stopped_claim_is_not_paid;
