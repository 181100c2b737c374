-- Refuses a record of what decisions rest on that names somebody whose role does not allow it
-- now in that casino, nor a delegation; and one of a table or kind of which nobody has said who
-- may. Every such row is recorded, so one trigger asks for all of them. Promise: nobody acts
-- beyond their role. `asked` has, by recorded table, the columns that name people, each with
-- what they must have been permitted: a code name, one of several, or what `kind` says. Nobody:
-- it names none, or the owner wrote it.
-- Asked of the roles of the running processes; the owner, who could drop it, is not asked.
CREATE FUNCTION whoever_acts_may() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    asked jsonb := '{
        "settlement_action": {"person_id": {
            "amend": "amend_claim", "verify": "verify_claim", "approve": "confirm_claim",
            "confirm": "confirm_claim", "propose_rejection": "propose_rejection",
            "withdraw_rejection": "propose_rejection", "second_rejection": "second_rejection",
            "pay": "pay_claim", "withhold": "withhold_payment", "release": "withhold_payment",
            "unclaimed": "book_unclaimed", "dispute": "open_dispute", "hold_claim": "place_hold",
            "name_round": "enter_hand", "separate_hand": "enter_hand",
            "unpair_hand": "enter_hand"}},
        "settlement_checkanswer": {"person_id": "verify_claim"},
        "settlement_decktick": {"person_id": "verify_claim"},
        "settlement_footage": {"person_id": "add_footage"},
        "settlement_note": {"person_id": "add_note"},
        "settlement_attachment": {"person_id": "add_attachment"},
        "settlement_identification": {"person_id": "add_identification"},
        "settlement_sharer": {"person_id": "add_identification"},
        "settlement_identificationlook": {"person_id": "view_identification"},
        "settlement_exclusionimport": {"person_id": "import_exclusions"},
        "settlement_exclusionend": {"person_id": "import_exclusions"},
        "settlement_exclusionlook": {"person_id": "view_exclusions"},
        "settlement_exclusionstop": {"person_id": "import_exclusions"},
        "settlement_bundleexport": {"person_id": "export_bundle"},
        "settlement_slipprint": {"person_id": "print_slip"},
        "settlement_formfiling": {"person_id": "file_form"},
        "settlement_filingfile": {"person_id": "file_form"},
        "settlement_proposal": {"person_id": {
            "adjust_pool": "propose_adjustment", "reverse_claim": "propose_reversal",
            "reverse_rejection": "propose_reversal", "forfeit": "propose_forfeit",
            "resolve_dispute": "propose_resolution", "lift_hold": "propose_lift",
            "put_terms": "propose_terms", "close_tier": "propose_closing",
            "missed_rounds": "credit_missed", "refuse_rounds": "rule_round",
            "move_table": "propose_move", "settle_order": "propose_order",
            "reset_boots": "propose_boots", "delegate_claim": "propose_delegation",
            "close_day": "propose_day_close", "close_month": "propose_day_close",
            "release_excluded": "propose_excluded", "same_player": "propose_same_player"}},
        "settlement_proposaldecision": {"person_id": {
            "adjust_pool false": "propose_adjustment", "reverse_claim false": "propose_reversal",
            "reverse_rejection false": "propose_reversal", "forfeit false": "propose_forfeit",
            "resolve_dispute false": "propose_resolution", "lift_hold false": "propose_lift",
            "put_terms false": "propose_terms", "close_tier false": "propose_closing",
            "missed_rounds false": "credit_missed", "refuse_rounds false": "rule_round",
            "move_table false": "propose_move", "settle_order false": "propose_order",
            "reset_boots false": "propose_boots", "delegate_claim false": "propose_delegation",
            "close_day false": "propose_day_close", "close_month false": "propose_day_close",
            "release_excluded false": "propose_excluded",
            "same_player false": "propose_same_player",
            "adjust_pool true": "second_adjustment", "reverse_claim true": "second_reversal",
            "reverse_rejection true": "second_reversal", "forfeit true": "second_forfeit",
            "resolve_dispute true": "second_resolution", "lift_hold true": "second_lift",
            "put_terms true": "second_terms", "close_tier true": "second_closing",
            "missed_rounds true": "second_missed", "refuse_rounds true": "second_missed",
            "move_table true": "second_move", "settle_order true": "second_order",
            "reset_boots true": "second_boots", "delegate_claim true": "second_delegation",
            "close_day true": "second_day_close", "close_month true": "second_day_close",
            "release_excluded true": "second_excluded",
            "same_player true": "second_same_player"}},
        "settlement_proposalapproval": {"person_id": "second_adjustment"},
        "settlement_retypedfigures": {"person_id": ["propose_terms", "second_terms"]},
        "settlement_asideproposal": {"person_id": "propose_aside"},
        "jackpot_setaside": {"first": "propose_aside", "second": "second_aside"},
        "settlement_ruling": {"person_id": {
            "void_round": "rule_round", "cancel_round": "rule_round",
            "missed_rounds": "credit_missed", "accept_rounds": "rule_round",
            "refuse_rounds": "rule_round", "enter_hand": "enter_hand",
            "withdraw_hand": "propose_rejection", "refuse": "rule_round"}},
        "settlement_countersignature": {"person_id": {
            "missed_rounds": "countersign_missed", "enter_hand": "rule_round"}},
        "settlement_incident": {"person_id": ["report_incident", "second_aside"]},
        "settlement_incidentend": {"person_id": "resolve_incident"},
        "settlement_moneycount": {"person_id": {
            "count_drop": "count_drop", "enter_balance": "enter_balance"}},
        "settlement_taxremittance": {"person_id": "remit_tax"},
        "settlement_findingstep": {"person_id": {
            "take": "explain_finding", "explain": "explain_finding",
            "sign": "sign_finding", "return": "sign_finding"}},
        "settlement_staffplay": {"said_by_id": "view_claim"},
        "settlement_staffplayword": {"person_id": "view_claim"},
        "settlement_staffplayend": {"said_by_id": "view_claim"},
        "settlement_handover": {
            "outgoing_id": ["verify_claim", "confirm_claim"],
            "incoming_id": ["verify_claim", "confirm_claim"]},
        "tables_closedgap": {"closed_by": "close_gap"},
        "tables_alarm": {"cleared_by": "clear_alarm"},
        "settlement_claim": {},
        "settlement_payout": {},
        "settlement_secondmanagerlimit": {},
        "settlement_signature": {},
        "settlement_signaturepolicy": {},
        "settlement_signingkey": {},
        "settlement_ownerendorsement": {},
        "settlement_signingkeyend": {},
        "settlement_missedroundslimit": {},
        "settlement_termsfactor": {},
        "settlement_jurisdictionchoice": {},
        "settlement_finding": {},
        "settlement_exclusion": {},
        "settlement_exclusionmatch": {},
        "settlement_variancelimit": {},
        "settlement_countingrule": {},
        "settlement_rolechange": {},
        "settlement_rolepermissions": {},
        "settlement_setupchange": {},
        "tables_erabegun": {}
    }'::jsonb -> NEW.source;
    said jsonb := NEW.said::jsonb;
    kind text := said ->> 'kind';
    named text;
    permitted jsonb;
    who integer;
BEGIN
    IF is_asked_by_owner(TG_RELID) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtext('roles'));
    IF NEW.source = 'settlement_proposaldecision' THEN
        SELECT p.kind || ' ' || (said ->> 'agreed') INTO kind
        FROM settlement_proposal p WHERE p.id = (said ->> 'proposal_id')::bigint;
    ELSIF NEW.source = 'settlement_countersignature' THEN
        SELECT r.kind INTO kind
        FROM settlement_ruling r WHERE r.id = (said ->> 'ruling_id')::bigint;
    END IF;
    IF asked IS NULL THEN
        RAISE EXCEPTION 'permission: nobody has said who may write %', NEW.source
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    FOR named, permitted IN SELECT * FROM jsonb_each(asked) LOOP
        IF jsonb_typeof(permitted) = 'object' THEN
            permitted := permitted -> kind;
        END IF;
        IF NEW.source IN ('settlement_incident', 'settlement_bundleexport')
           AND said ->> named IS NULL
           OR NEW.source = 'settlement_exclusionend' AND said ->> 'origin_id' IS NOT NULL
        THEN
            CONTINUE;  -- found by the console, taken on the server; of a list who confirmed it
        END IF;
        SELECT u.id INTO who FROM auth_user u
        WHERE CASE WHEN named LIKE '%\_id' THEN u.id::text ELSE u.username END = said ->> named;
        IF NOT EXISTS (
            SELECT FROM jsonb_array_elements_text(
                CASE jsonb_typeof(permitted) WHEN 'array' THEN permitted
                    ELSE jsonb_build_array(permitted) END) AS one (permission)
            WHERE has_permission(who, one.permission, NEW.system_id)
               OR has_been_delegated(who, one.permission, (said ->> 'claim_id')::bigint)
        ) THEN
            RAISE EXCEPTION 'permission: % of % may not write % % in system %',
                named, said ->> named, NEW.source, coalesce(kind, ''), NEW.system_id
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

CREATE TRIGGER whoever_acts_may AFTER INSERT ON settlement_record
    FOR EACH ROW EXECUTE FUNCTION whoever_acts_may();
ALTER TABLE settlement_record ENABLE ALWAYS TRIGGER whoever_acts_may;
