-- Says of each record who did it and about what, for the page "Audit trail"; refuses nothing. Both
-- follow from `said`, which alone is under the hashes. Two people stand as "mere and david"; a
-- claim as main-14, a table as main/t3, a prize as main:royal, everything else as its system.
CREATE FUNCTION record_says_who() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    said jsonb := NEW.said::jsonb;
    system text := (SELECT code FROM tables_jackpotsystem WHERE id = NEW.system_id);
    about jsonb;
    hit text;
    seat_of text;
BEGIN
    NEW.by := coalesce(CASE
        WHEN said ? 'first' THEN concat_ws(' and ', said ->> 'first', said ->> 'second')
        WHEN said ?| '{by,cleared_by,closed_by,begun_by}' THEN coalesce(
            said ->> 'by', said ->> 'cleared_by', said ->> 'closed_by', said ->> 'begun_by')
        ELSE (
            SELECT string_agg(u.username, ' and ' ORDER BY place)
            FROM unnest(CASE WHEN said ? 'said_by_id' THEN '{said_by_id}'
                ELSE '{person_id,outgoing_id,incoming_id}' END::text[])
                WITH ORDINALITY AS one (named, place)
            JOIN auth_user u ON u.id = (said ->> named)::integer)
    END, '');
    about := coalesce(CASE WHEN jsonb_typeof(said -> 'body') = 'object' THEN said -> 'body' END, (
        SELECT body FROM settlement_proposal WHERE id = (said ->> 'proposal_id')::bigint), '{}');
    hit := coalesce(
        (SELECT number FROM settlement_claim WHERE id = coalesce(
            (said ->> 'claim_id')::bigint,
            (SELECT claim_id FROM settlement_payout WHERE id = (said ->> 'payout_id')::bigint),
            (SELECT claim_id FROM settlement_identification
             WHERE id = (said ->> 'identification_id')::bigint)))::text,
        CASE WHEN NEW.source = 'settlement_claim' THEN said ->> 'number' END,
        about ->> 'hit');
    seat_of := coalesce(
        (SELECT code FROM tables_gamingtable WHERE id = coalesce(
            (said ->> 'table_id')::bigint,
            (SELECT table_id FROM settlement_ruling WHERE id = (said ->> 'ruling_id')::bigint),
            (SELECT table_id FROM settlement_incident WHERE id = (said ->> 'incident_id')::bigint),
            (SELECT table_id FROM settlement_staffplay WHERE id = (said ->> 'play_id')::bigint))),
        about ->> 'table');
    NEW.subject := left(CASE
        WHEN hit IS NOT NULL THEN concat(system, '-', hit)
        WHEN seat_of IS NOT NULL THEN concat(system, '/', seat_of)
        WHEN about ->> 'tier' IS NOT NULL THEN concat(system, ':', about ->> 'tier')
        ELSE system
    END, 200);
    RETURN NEW;
END
$$;

CREATE TRIGGER record_says_who BEFORE INSERT ON settlement_record
    FOR EACH ROW EXECUTE FUNCTION record_says_who();
ALTER TABLE settlement_record ENABLE ALWAYS TRIGGER record_says_who;
