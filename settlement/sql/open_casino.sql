-- Writes down that a casino is set up and opens, for whoever may set it up; once. A rehearsal of it
-- has paid before, or two people decided to open without one.
CREATE FUNCTION open_casino(who integer, of_casino bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM require_set_up(who, 'set_up_casino', of_casino);
    IF NOT EXISTS (
        SELECT FROM settlement_payout o JOIN settlement_claim k ON k.id = o.claim_id
        JOIN tables_jackpotsystem s ON s.id = k.system_id
        WHERE s.casino_id = of_casino AND starts_with(s.code, 'rehearsal-')
    ) AND NOT EXISTS (
        SELECT FROM settlement_setupproposal p
        JOIN settlement_setupdecision d ON d.proposal_id = p.id AND d.agreed
        WHERE p.casino_id = of_casino AND p.kind = 'open_unrehearsed'
    ) THEN
        RAISE EXCEPTION 'unrehearsed: casino %', of_casino
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
    SELECT require_set_up(who, 'set_up_casino', c.id), 'casino', c.code, c.id, 'opened', '{}', '{}'
    FROM tables_casino c WHERE c.id = of_casino AND NOT EXISTS (
        SELECT FROM settlement_setupchange e
        WHERE e.kind = 'casino' AND e.casino_id = of_casino AND e.what = 'opened');
END
$$;
REVOKE EXECUTE ON FUNCTION open_casino(integer, bigint) FROM PUBLIC;
