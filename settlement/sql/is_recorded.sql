-- Records each row on which decisions rest, in full, when it is written; refuses nothing. Promise:
-- tampering shows. The next command of the system takes all records that wait into its basis
-- (basis_takes_in_records). What such a table gets later, for instance a new column, is recorded
-- from then on without a further word.
--
-- By table: `systems` asks over NEW for which systems; `hidden` are columns that stay out (a file
-- is no text), `more` is a JSON object that says something in their place; `event` and `which`
-- say when. A table without a line is not recorded, and a test asks why.
DO $make$
DECLARE
    of_claim text := 'SELECT k.system_id FROM settlement_claim k WHERE k.id = NEW.claim_id';
    of_payout text := 'SELECT k.system_id FROM settlement_payout p'
        ' JOIN settlement_claim k ON k.id = p.claim_id WHERE p.id = NEW.payout_id';
    of_filing text := 'SELECT k.system_id FROM settlement_formfiling f'
        ' JOIN settlement_payout p ON p.id = f.payout_id'
        ' JOIN settlement_claim k ON k.id = p.claim_id WHERE f.id = NEW.filing_id';
    of_proposal text :=
        'SELECT p.system_id FROM settlement_proposal p WHERE p.id = NEW.proposal_id';
    of_ruling text := 'SELECT r.system_id FROM settlement_ruling r WHERE r.id = NEW.ruling_id';
    of_incident text :=
        'SELECT i.system_id FROM settlement_incident i WHERE i.id = NEW.incident_id';
    of_table text := 'SELECT g.system_id FROM tables_gamingtable g WHERE g.id = NEW.table_id';
    of_play text := 'SELECT g.system_id FROM settlement_staffplay p'
        ' JOIN tables_gamingtable g ON g.id = p.table_id WHERE p.id = NEW.play_id';
    of_finding text := 'SELECT c.system_id FROM settlement_finding f'
        ' JOIN settlement_moneycount c ON c.id = f.count_id WHERE f.id = NEW.finding_id';
    of_count text := 'SELECT c.system_id FROM settlement_moneycount c WHERE c.id = NEW.count_id';
    of_exclusion text := 'SELECT s.id FROM settlement_exclusion x'
        ' JOIN tables_jackpotsystem s ON s.casino_id = x.casino_id WHERE x.id = NEW.exclusion_id';
    of_match text := 'SELECT k.system_id FROM settlement_identification i'
        ' JOIN settlement_claim k ON k.id = i.claim_id WHERE i.id = NEW.identification_id';
    of_casino text := 'SELECT s.id FROM tables_jackpotsystem s WHERE s.casino_id = NEW.casino_id';
    of_system text := 'SELECT NEW.system_id';
    every_system text := 'SELECT s.id FROM tables_jackpotsystem s';
    -- A player by the same seal as in dispute bundles (seals_of_identifications).
    seal text := $$jsonb_build_object('seal', encode(sha256(convert_to(concat_ws(E'\n', NEW.key,
        NEW.seat, NEW.name, to_char(NEW.born, 'YYYY-MM-DD'), NEW.document, NEW.document_number,
        NEW.note, CASE WHEN concat(NEW.tax_number, NEW.address, NEW.country) <> ''
            THEN concat_ws(E'\n', NEW.tax_number, NEW.address, nullif(NEW.country, '')) END), 'UTF8')), 'hex'))$$;
    source record;
BEGIN
    FOR source IN
        SELECT name, systems, coalesce(hidden, '{}') AS hidden,
               coalesce(more, $$'{}'::jsonb$$) AS more,
               coalesce(event, 'INSERT') AS event, coalesce(which, 'true') AS which
        FROM (VALUES
            -- claims and their payment
            ('settlement_claim', of_system, NULL::text[], NULL, NULL, NULL),
            ('settlement_action', of_claim, NULL, NULL, NULL, NULL),
            ('settlement_checkanswer', of_claim, NULL, NULL, NULL, NULL),
            ('settlement_decktick', of_claim, NULL, NULL, NULL, NULL),
            ('settlement_footage', of_claim, NULL, NULL, NULL, NULL),
            ('settlement_note', of_claim, NULL, NULL, NULL, NULL),
            ('settlement_attachment', of_claim, ARRAY['content'], NULL, NULL, NULL),
            ('settlement_identification', of_claim,
                ARRAY['name', 'born', 'document', 'document_number', 'tax_number', 'address',
                    'country', 'note', 'key'],
                seal, NULL, NULL),
            ('settlement_sharer', of_claim, NULL, NULL, NULL, NULL),
            ('settlement_identificationlook', of_claim, NULL, NULL, NULL, NULL),
            ('settlement_bundleexport', of_claim, NULL, NULL, NULL, NULL),
            ('settlement_payout', of_claim, NULL, NULL, NULL, NULL),
            ('settlement_slipprint', of_payout, NULL, NULL, NULL, NULL),
            ('settlement_formfiling', of_payout, NULL, NULL, NULL, NULL),
            ('settlement_filingfile', of_filing, ARRAY['content'], NULL, NULL, NULL),
            ('settlement_exclusionmatch', of_match, NULL, NULL, NULL, NULL),
            -- excluded persons
            ('settlement_exclusionimport', of_casino, NULL, NULL, NULL, NULL),
            ('settlement_exclusion', of_casino,
                ARRAY['name', 'born', 'document', 'document_number', 'key'],
                $$jsonb_build_object('seal', seal_of_exclusion(NEW))$$, NULL, NULL),
            ('settlement_exclusionend', of_exclusion, NULL, NULL, NULL, NULL),
            ('settlement_exclusionlook', of_casino, NULL, NULL, NULL, NULL),
            ('settlement_exclusionstop', of_casino, NULL, NULL, NULL, NULL),
            -- what two people decide
            ('settlement_proposal', of_system, NULL, NULL, NULL, NULL),
            ('settlement_proposaldecision', of_proposal, NULL, NULL, NULL, NULL),
            ('settlement_proposalapproval', of_proposal, NULL, NULL, NULL, NULL),
            ('settlement_retypedfigures', of_proposal, NULL, NULL, NULL, NULL),
            ('settlement_asideproposal', of_system, NULL, NULL, NULL, NULL),
            ('jackpot_setaside', of_system, NULL, NULL, NULL, NULL),
            -- rounds, and what happened at a table
            ('settlement_ruling', of_system, NULL, NULL, NULL, NULL),
            ('settlement_countersignature', of_ruling, NULL, NULL, NULL, NULL),
            ('settlement_incident', of_system, NULL, NULL, NULL, NULL),
            ('settlement_incidentend', of_incident, NULL, NULL, NULL, NULL),
            ('settlement_staffplay', of_table, NULL, NULL, NULL, NULL),
            ('settlement_staffplayword', of_play, NULL, NULL, NULL, NULL),
            ('settlement_staffplayend', of_play, NULL, NULL, NULL, NULL),
            -- drop and bank, and withheld tax
            ('settlement_moneycount', of_system, NULL, NULL, NULL, NULL),
            ('settlement_finding', of_count, NULL, NULL, NULL, NULL),
            ('settlement_findingstep', of_finding, NULL, NULL, NULL, NULL),
            ('settlement_variancelimit', of_casino, NULL, NULL, NULL, NULL),
            ('settlement_countingrule', of_casino, NULL, NULL, NULL, NULL),
            ('settlement_taxremittance', of_system, NULL, NULL, NULL, NULL),
            -- decisions of the house, and who may what
            ('settlement_secondmanagerlimit', of_casino, NULL, NULL, NULL, NULL),
            ('settlement_signaturepolicy', of_casino, NULL, NULL, NULL, NULL),
            ('settlement_missedroundslimit', of_casino, NULL, NULL, NULL, NULL),
            ('settlement_termsfactor', of_casino, NULL, NULL, NULL, NULL),
            ('settlement_jurisdictionchoice', of_casino, NULL, NULL, NULL, NULL),
            ('settlement_handover', of_casino, NULL, NULL, NULL, NULL),
            ('settlement_rolechange', 'SELECT s.id FROM tables_jackpotsystem s'
                ' WHERE NEW.casino_id IS NULL OR s.casino_id = NEW.casino_id',
                NULL, NULL, NULL, NULL),
            ('settlement_rolepermissions', every_system, NULL, NULL, NULL, NULL),
            ('settlement_setupchange', 'SELECT s.id FROM tables_jackpotsystem s'
                ' WHERE NEW.casino_id IS NULL OR s.casino_id = NEW.casino_id',
                NULL, NULL, NULL, NULL),
            -- keys with which people sign, and what they signed with them
            ('settlement_signingkey', every_system, NULL, NULL, NULL, NULL),
            ('settlement_signingkeyend', every_system, NULL, NULL, NULL, NULL),
            ('settlement_ownerendorsement', every_system, NULL, NULL, NULL, NULL),
            ('settlement_signature', 'SELECT s.id FROM tables_jackpotsystem s'
                ' WHERE NEW.system_id IS NULL OR s.id = NEW.system_id', NULL, NULL, NULL, NULL),
            -- the floor
            ('tables_closedgap', of_system, NULL, NULL, NULL, $$NEW.closed_by <> 'unit'$$),
            ('tables_erabegun', of_system, NULL, NULL, NULL, NULL),
            ('tables_alarm', 'SELECT s.id FROM tables_jackpotsystem s'
                ' WHERE s.id = NEW.system_id OR NEW.system_id IS NULL',
                NULL, NULL, 'UPDATE', 'OLD.cleared_at IS NULL AND NEW.cleared_at IS NOT NULL')
        ) AS each (name, systems, hidden, more, event, which)
    LOOP
        EXECUTE format($function$
CREATE FUNCTION record_%1$s() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
DECLARE more jsonb := %4$s;
BEGIN
    %5$s
    INSERT INTO settlement_record (system_id, source, row, said)
    SELECT of.id, TG_TABLE_NAME, NEW.id, ((to_jsonb(NEW) - '%3$s'::text[]) || more)::text
    FROM (%2$s) AS of (id);
    RETURN NULL;
END
$$$function$,
            source.name, source.systems, source.hidden, source.more,
            (SELECT string_agg(format('NEW.%I := NULL;', hidden), ' ' ORDER BY place)
             FROM unnest(source.hidden) WITH ORDINALITY AS each (hidden, place)));
        EXECUTE format('CREATE TRIGGER is_recorded AFTER %s ON %I FOR EACH ROW WHEN (%s)'
            ' EXECUTE FUNCTION record_%s()', source.event, source.name, source.which, source.name);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER is_recorded', source.name);
    END LOOP;
END
$make$;

-- Backwards:
-- DO $$
-- DECLARE
--     source regproc;
-- BEGIN
--     FOR source IN SELECT tgfoid FROM pg_trigger WHERE tgname = 'is_recorded' LOOP
--         EXECUTE format('DROP FUNCTION %s CASCADE', source);
--     END LOOP;
-- END
-- $$;
