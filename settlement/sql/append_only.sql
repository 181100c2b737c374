-- Whatever people did is never rewritten: actions, proposals, rulings, payouts, limits, roles, the
-- security log. Promise: nothing is rewritten.
-- A row trigger never sees TRUNCATE, so that has a statement trigger of its own. Both are ENABLE
-- ALWAYS: a session that says session_replication_role = replica is refused too.
DO $$
DECLARE
    recorded text;
BEGIN
    FOREACH recorded IN ARRAY ARRAY[
        'settlement_accessnote', 'settlement_action', 'settlement_asideproposal',
        'settlement_attachment', 'settlement_backuprun', 'settlement_bundleexport', 'settlement_checkanswer',
        'settlement_closedday', 'settlement_closeddaycheck', 'settlement_daymovement',
        'settlement_countersignature', 'settlement_decktick', 'settlement_footage', 'settlement_formfiling', 'settlement_filingfile',
        'settlement_exclusion', 'settlement_exclusionend', 'settlement_exclusionimport',
        'settlement_exclusionlook', 'settlement_exclusionmatch', 'settlement_exclusionstop',
        'settlement_factordemand', 'settlement_filekey', 'settlement_finding', 'settlement_findingstep',
        'settlement_moneycount', 'settlement_variancelimit', 'settlement_countingrule',
        'settlement_handover', 'settlement_identification', 'settlement_identificationlook',
        'settlement_escalationpolicy', 'settlement_idlelimit', 'settlement_incident', 'settlement_incidentend',
        'settlement_jurisdictionchoice', 'settlement_missedroundslimit',
        'settlement_note', 'settlement_occasion', 'settlement_payout', 'settlement_proposal',
        'settlement_proposalapproval', 'settlement_proposaldecision',
        'settlement_reconciliation', 'settlement_retypedfigures', 'settlement_rolechange',
        'settlement_rolepermissions', 'settlement_ruling', 'settlement_secondmanagerlimit',
        'settlement_securityevent', 'settlement_setupchange', 'settlement_setupdecision', 'settlement_sharer',
        'settlement_ownerendorsement', 'settlement_setupproposal', 'settlement_signature', 'settlement_signaturepolicy',
        'settlement_signingkey', 'settlement_signingkeyend', 'settlement_slipprint', 'settlement_staffplay',
        'settlement_staffplayend', 'settlement_staffplayword', 'settlement_taxremittance',
        'settlement_termsfactor'
    ] LOOP
        EXECUTE format('CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON %I'
            ' FOR EACH ROW EXECUTE FUNCTION refuse_change()', recorded);
        EXECUTE format('CREATE TRIGGER append_only_table BEFORE TRUNCATE ON %I'
            ' FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', recorded);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER append_only_rows,'
            ' ENABLE ALWAYS TRIGGER append_only_table', recorded);
    END LOOP;
END
$$;

-- Backwards:
-- DO $$
-- DECLARE
--     recorded regclass;
-- BEGIN
--     FOR recorded IN
--         SELECT tgrelid FROM pg_trigger
--         WHERE tgname = 'append_only_rows' AND tgrelid::regclass::text LIKE 'settlement\_%'
--     LOOP
--         EXECUTE format('DROP TRIGGER append_only_rows ON %s', recorded);
--         EXECUTE format('DROP TRIGGER append_only_table ON %s', recorded);
--     END LOOP;
-- END
-- $$;
