-- Refuses a record of what somebody did over a connection that shows neither the key of a
-- session of that person, nor the proof of the password, nor an access token whose scope it is.
-- Promise: nobody acts beyond their role.
-- `acting` has, by recorded table, the columns that name who acts now; of every other table it
-- is `person_id`. Of what is skipped it is the second: the first of the two was there at the
-- proposal. None: it names nobody, or the owner wrote it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION whoever_acts_proves_it() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    acting jsonb := coalesce('{
        "jackpot_setaside": ["second"],
        "settlement_staffplay": ["said_by_id"],
        "settlement_staffplayend": ["said_by_id"],
        "settlement_handover": ["outgoing_id", "incoming_id"],
        "tables_closedgap": ["closed_by"],
        "tables_alarm": ["cleared_by"],
        "settlement_claim": [],
        "settlement_payout": [],
        "settlement_secondmanagerlimit": [],
        "settlement_signaturepolicy": [],
        "settlement_signingkeyend": [],
        "settlement_ownerendorsement": [],
        "settlement_missedroundslimit": [],
        "settlement_termsfactor": [],
        "settlement_jurisdictionchoice": [],
        "settlement_finding": [],
        "settlement_exclusion": [],
        "settlement_exclusionmatch": [],
        "settlement_variancelimit": [],
        "settlement_countingrule": [],
        "settlement_rolechange": [],
        "settlement_rolepermissions": [],
        "settlement_setupchange": [],
        "tables_erabegun": []
    }'::jsonb -> NEW.source, '["person_id"]');
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
           OR NEW.source = 'settlement_exclusionend' AND said ->> 'origin_id' IS NOT NULL
        THEN
            CONTINUE;  -- found by the console, taken on the server; of a list who confirmed it
        ELSIF named LIKE '%\_id' THEN
            who := (said ->> named)::integer;
        ELSE
            SELECT u.id INTO who FROM auth_user u WHERE u.username = said ->> named;
        END IF;
        IF NOT is_there(who)
           AND NOT token_acts(who, NEW.source, said, NEW.system_id)
        THEN
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
