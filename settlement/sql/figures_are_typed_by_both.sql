-- Refuses terms whose far-moving figures two people did not type alike. Which figures those are
-- the services say (settlement/terms/figures.py).
-- Judged at the end of the transaction: a command is queued before what stands behind it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION figures_are_typed_by_both() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF EXISTS (
        SELECT FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id
        LEFT JOIN settlement_retypedfigures a ON (a.proposal_id, a.person_id) = (p.id, p.person_id)
        LEFT JOIN settlement_retypedfigures b ON (b.proposal_id, b.person_id) = (p.id, d.person_id)
        WHERE p.system_id = NEW.system_id AND p.kind = NEW.kind AND d.command = NEW.number
          AND a.figures IS DISTINCT FROM b.figures
    ) THEN
        RAISE EXCEPTION 'figures: behind command % of system % two people did not type the same',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER figures_are_typed_by_both AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'put_terms')
    EXECUTE FUNCTION figures_are_typed_by_both();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER figures_are_typed_by_both;
