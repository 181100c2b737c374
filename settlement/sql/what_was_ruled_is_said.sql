-- Refuses a command on a round or an entered hand that says another reason, misdeal or note
-- than the ruling behind it.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION what_was_ruled_is_said() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_ruling r
        WHERE r.system_id = NEW.system_id AND r.kind = NEW.kind AND r.command = NEW.number
          AND r.reason = CASE WHEN (NEW.body -> 'completion') = 'true' THEN 'completion'
                              ELSE coalesce(NEW.body ->> 'reason', '') END
          AND r.note IS NOT DISTINCT FROM coalesce(NEW.body ->> 'note', NEW.body ->> 'evidence')
          AND r.misdeal = coalesce(NEW.body ->> 'misdeal', '')
    ) THEN
        RAISE EXCEPTION 'actions: command % of system % says something else than % did',
            NEW.number, NEW.system_id, coalesce(NEW.second, NEW.first)
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER what_was_ruled_is_said AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.second IS NULL
          AND NEW.kind IN ('void_round', 'cancel_round', 'missed_rounds', 'enter_hand'))
    EXECUTE FUNCTION what_was_ruled_is_said();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER what_was_ruled_is_said;
