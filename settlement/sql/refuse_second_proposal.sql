-- Refuses a second proposal of a kind about a person while one waits. Called under the lock of set-up.
CREATE FUNCTION refuse_second_proposal(of_kind text, whose integer) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM settlement_setupproposal p
        WHERE p.kind = of_kind AND p.body -> 'person' = to_jsonb(whose)
          AND NOT EXISTS (SELECT FROM settlement_setupdecision d WHERE d.proposal_id = p.id))
    THEN
        RAISE EXCEPTION 'proposed: % of person % waits already', of_kind, whose
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
END
$$;
