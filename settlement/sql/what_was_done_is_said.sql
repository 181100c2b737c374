-- Refuses a command that says another report, amount, line, part, reason or note than the action
-- behind it.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION what_was_done_is_said() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_action a JOIN settlement_claim k ON k.id = a.claim_id
        WHERE k.system_id = NEW.system_id AND to_jsonb(k.number) = NEW.body -> 'hit'
          AND a.command = NEW.number
          AND a.kind = CASE NEW.kind WHEN 'amend_hand' THEN 'amend'
                WHEN 'confirm_claim' THEN 'confirm' ELSE NEW.kind END
          AND CASE
            WHEN NEW.kind = 'amend_hand'
                THEN a.body -> 'report' IS NOT DISTINCT FROM NEW.body -> 'report'
            WHEN NEW.kind = 'confirm_claim'
                THEN a.body -> 'amount' IS NOT DISTINCT FROM NEW.body -> 'amount'
            WHEN NEW.kind = 'pay'
                THEN (a.body -> 'line', a.body -> 'parts')
                     IS NOT DISTINCT FROM (NEW.body -> 'line', NEW.body -> 'parts')
            ELSE (coalesce(a.body ->> 'note', ''), a.body -> 'line', a.body -> 'round')
                 IS NOT DISTINCT FROM (coalesce(NEW.body ->> 'reason', NEW.body ->> 'note', ''),
                                       NEW.body -> 'line', NEW.body -> 'round')
            END
    ) THEN
        RAISE EXCEPTION 'actions: command % of system % says something else than % did',
            NEW.number, NEW.system_id, coalesce(NEW.second, NEW.first)
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER what_was_done_is_said AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('amend_hand', 'confirm_claim', 'pay', 'withhold', 'release', 'unclaimed',
                       'dispute', 'hold_claim', 'name_round', 'separate_hand', 'unpair_hand'))
    EXECUTE FUNCTION what_was_done_is_said();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER what_was_done_is_said;
