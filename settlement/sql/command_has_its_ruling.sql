-- Refuses void, cancelled or missed rounds without the ruling of the supervisor whom the
-- command names, or, for missed rounds above the limit, an agreed proposal.
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION command_has_its_ruling() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NEW.second IS NULL AND EXISTS (
        SELECT FROM settlement_ruling r
        JOIN tables_gamingtable g ON g.id = r.table_id
        JOIN auth_user u ON u.id = r.person_id
        WHERE r.system_id = NEW.system_id AND r.kind = NEW.kind AND r.command = NEW.number
          AND u.username = NEW.first AND g.code = NEW.body ->> 'table'
          AND (r.kind = 'missed_rounds' AND to_jsonb(r.count) = NEW.body -> 'count'
               OR to_jsonb(r.round) = NEW.body -> 'round')
    ) OR NEW.kind = 'missed_rounds' AND EXISTS (
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
              HINT = 'Decide on rounds by settlement/floor/rulings.py.';
END
$$;

CREATE CONSTRAINT TRIGGER command_has_its_ruling AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('void_round', 'cancel_round', 'missed_rounds'))
    EXECUTE FUNCTION command_has_its_ruling();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER command_has_its_ruling;
