-- Gives a new system the records of what its casino decided before: limits, handovers, excluded
-- persons, the roles of its people, the house's keys with which people sign, and every change of
-- set-up.
CREATE FUNCTION records_of_the_casino() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
BEGIN
    INSERT INTO settlement_record (system_id, source, row, said)
    SELECT NEW.id, source, row, said FROM (
        SELECT 'settlement_secondmanagerlimit' AS source, id AS row, to_jsonb(l)::text AS said
        FROM settlement_secondmanagerlimit l WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_missedroundslimit', id, to_jsonb(l)::text
        FROM settlement_missedroundslimit l WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_termsfactor', id, to_jsonb(f)::text
        FROM settlement_termsfactor f WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_jurisdictionchoice', id, to_jsonb(j)::text
        FROM settlement_jurisdictionchoice j WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_variancelimit', id, to_jsonb(v)::text
        FROM settlement_variancelimit v WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_countingrule', id, to_jsonb(r)::text
        FROM settlement_countingrule r WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_exclusionimport', id, to_jsonb(o)::text
        FROM settlement_exclusionimport o WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_exclusion', id, ((to_jsonb(x)
            - '{name,born,document,document_number,key}'::text[])
            || jsonb_build_object('seal', seal_of_exclusion(x)))::text
        FROM settlement_exclusion x WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_exclusionend', e.id, to_jsonb(e)::text
        FROM settlement_exclusionend e JOIN settlement_exclusion x ON x.id = e.exclusion_id
        WHERE x.casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_exclusionlook', id, to_jsonb(l)::text
        FROM settlement_exclusionlook l WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_exclusionstop', id, to_jsonb(s)::text
        FROM settlement_exclusionstop s WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_handover', id, to_jsonb(h)::text
        FROM settlement_handover h WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_rolechange', id, to_jsonb(c)::text
        FROM settlement_rolechange c WHERE casino_id IS NULL OR casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_signaturepolicy', id, to_jsonb(p)::text
        FROM settlement_signaturepolicy p WHERE casino_id = NEW.casino_id
        UNION ALL SELECT 'settlement_signingkey', id, to_jsonb(k)::text
        FROM settlement_signingkey k
        UNION ALL SELECT 'settlement_signingkeyend', id, to_jsonb(e)::text
        FROM settlement_signingkeyend e
        UNION ALL SELECT 'settlement_ownerendorsement', id, to_jsonb(o)::text
        FROM settlement_ownerendorsement o
        UNION ALL SELECT 'settlement_signature', id, to_jsonb(s)::text
        FROM settlement_signature s WHERE system_id IS NULL
        UNION ALL SELECT 'settlement_rolepermissions', id, to_jsonb(p)::text
        FROM settlement_rolepermissions p
        UNION ALL SELECT 'settlement_setupchange', id, to_jsonb(u)::text
        FROM settlement_setupchange u WHERE casino_id IS NULL OR casino_id = NEW.casino_id
    ) AS decided ORDER BY array_position(
        '{settlement_signingkey,settlement_signature}', source), source, row;
    RETURN NULL;
END
$$;

CREATE TRIGGER records_of_the_casino AFTER INSERT ON tables_jackpotsystem
    FOR EACH ROW EXECUTE FUNCTION records_of_the_casino();
ALTER TABLE tables_jackpotsystem ENABLE ALWAYS TRIGGER records_of_the_casino;
