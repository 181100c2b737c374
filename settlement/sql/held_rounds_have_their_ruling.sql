-- Refuses held rounds accepted or refused without the ruling of one supervisor, or the agreed
-- proposal of two.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION held_rounds_have_their_ruling() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NEW.second IS NULL AND EXISTS (
        SELECT FROM settlement_ruling r
        JOIN tables_gamingtable g ON g.id = r.table_id
        JOIN auth_user u ON u.id = r.person_id
        WHERE r.system_id = NEW.system_id AND r.kind = NEW.kind AND r.command = NEW.number
          AND u.username = NEW.first AND g.code = NEW.body ->> 'table'
          AND r.note = NEW.body ->> 'note'
          AND (r.round IS NULL OR NEW.body -> 'rounds' = jsonb_build_array(r.round))
    ) OR NEW.kind = 'refuse_rounds' AND EXISTS (
        SELECT FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id
        JOIN auth_user proposer ON proposer.id = p.person_id
        JOIN auth_user other ON other.id = d.person_id
        WHERE p.system_id = NEW.system_id AND p.kind = NEW.kind AND p.body = NEW.body
          AND d.agreed AND d.command = NEW.number
          AND proposer.username = NEW.first AND other.username = NEW.second
    ) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'actions: behind command % of system % stands no ruling of %',
        NEW.number, NEW.system_id, NEW.first
        USING ERRCODE = 'integrity_constraint_violation',
              HINT = 'Decide on held rounds by settlement/floor/held_rounds.py.';
END
$$;

CREATE CONSTRAINT TRIGGER held_rounds_have_their_ruling AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('accept_rounds', 'refuse_rounds'))
    EXECUTE FUNCTION held_rounds_have_their_ruling();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER held_rounds_have_their_ruling;
