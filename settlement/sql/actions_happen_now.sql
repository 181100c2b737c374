-- Sets the time of whatever people do: no process gives an action another time than now. Its name
-- comes before those of guards that look at the time. The owner, who replays and simulates,
-- gives times.
CREATE FUNCTION actions_happen_now() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NEW;
    END IF;
    RETURN jsonb_populate_record(NEW, (
        SELECT jsonb_object_agg(name, clock_timestamp()) FROM unnest(TG_ARGV) AS name));
END
$$;

-- What a browser reads of its screen; an intake has the time at which a message came.
CREATE TRIGGER actions_happen_now BEFORE INSERT ON tables_displayreading
    FOR EACH ROW WHEN (current_user = 'jackpot_web')
    EXECUTE FUNCTION actions_happen_now('received_at');
ALTER TABLE tables_displayreading ENABLE ALWAYS TRIGGER actions_happen_now;

DO $$
DECLARE
    recorded record;
BEGIN
    FOR recorded IN
        SELECT unnest(ARRAY[
            'jackpot_setaside', 'settlement_action', 'settlement_asideproposal',
            'settlement_attachment', 'settlement_bundleexport', 'settlement_checkanswer',
            'settlement_countersignature', 'settlement_decktick', 'settlement_footage',
            'settlement_exclusionend', 'settlement_filekey', 'settlement_formfiling', 'settlement_filingfile',
            'settlement_finding', 'settlement_findingstep', 'settlement_moneycount',
            'settlement_identification', 'settlement_incident', 'settlement_incidentend',
            'settlement_note', 'settlement_proposal', 'settlement_proposalapproval',
            'settlement_proposaldecision', 'settlement_reconciliation',
            'settlement_reportexport', 'settlement_reportschedule',
            'settlement_retypedfigures', 'settlement_ruling', 'settlement_sharer',
            'settlement_taxremittance',
            'tables_alarmclearing'
        ]) AS name, '''at''' AS times
        UNION ALL SELECT 'jackpot_command', '''issued_at'''
        UNION ALL SELECT 'settlement_accesstoken', '''made_at'''
        UNION ALL SELECT 'settlement_claim', '''opened_at'''
        UNION ALL SELECT 'tables_alarm', '''raised_at'', ''last_at'''
    LOOP
        EXECUTE format('CREATE TRIGGER actions_happen_now BEFORE INSERT ON %I'
            ' FOR EACH ROW EXECUTE FUNCTION actions_happen_now(%s)', recorded.name, recorded.times);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER actions_happen_now', recorded.name);
    END LOOP;
END
$$;
