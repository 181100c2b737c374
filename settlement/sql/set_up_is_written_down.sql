-- Writes each change of set-up down, with who did it and what was before and after, whoever makes
-- it; nothing secret is in it: of a webhook's address where it leads, for what stands behind may be
-- a key; of a picture its digest. A rule has its name, the value before, and the currency of now; a
-- role that is taken away reads as removed.
CREATE FUNCTION set_up_is_written_down() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    secret text[] := '{id,password,last_login,date_joined,display_key,key,digest,era,by,at,'
        'made_at,expires_at,person_id,is_staff,is_superuser,'
        'secret,old_secret,old_until,ended_at,last_number,failures,not_before,claimed_until,'
        'version,picture,picture_type,font_file}';
    was jsonb := '{}';
    now_is jsonb := '{}';
    one jsonb;
    what text := 'changed';
    address jsonb;
BEGIN
    IF TG_OP <> 'INSERT' THEN was := to_jsonb(OLD); END IF;
    IF TG_OP <> 'DELETE' THEN now_is := to_jsonb(NEW); END IF;
    one := CASE TG_OP WHEN 'DELETE' THEN was ELSE now_is END;
    IF TG_TABLE_NAME = 'settlement_webhookendpoint' THEN
        address := jsonb_build_object(
            'url', substring(one ->> 'url' FROM '^[a-z]+://[^/?#]+'),
            'systems', (SELECT jsonb_agg(s.code ORDER BY s.code) FROM tables_jackpotsystem s
                        WHERE one -> 'systems' @> to_jsonb(s.id)),
            'is_ended', one -> 'ended_by_id' <> 'null');
        IF TG_OP <> 'INSERT' THEN
            was := was || address || jsonb_build_object('is_ended', was -> 'ended_by_id' <> 'null');
        END IF;
        now_is := (now_is || address) - '{casino_id,ended_by_id}'::text[];
        was := was - '{casino_id,ended_by_id}'::text[];
    END IF;
    IF TG_TABLE_NAME IN ('jackpot_screen', 'jackpot_slide', 'jackpot_houselook') THEN
        now_is := shown_of_screen(now_is);
        was := CASE TG_OP WHEN 'INSERT' THEN was ELSE shown_of_screen(was) END;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        SELECT coalesce(jsonb_object_agg(o.key, o.value), '{}'),
               coalesce(jsonb_object_agg(o.key, now_is -> o.key), '{}')
        INTO was, now_is FROM jsonb_each(was - secret) AS o
        WHERE o.value IS DISTINCT FROM now_is -> o.key;
        IF was = '{}' THEN
            RETURN NULL;
        END IF;
    ELSE
        what := CASE TG_OP WHEN 'INSERT' THEN 'made' ELSE 'removed' END;
    END IF;
    IF TG_TABLE_NAME = 'settlement_rolechange' AND NOT (one ->> 'granted')::boolean THEN
        what := 'removed';
        was := one - '{granted,until}'::text[];
        now_is := '{}';
    ELSIF TG_ARGV[0] = 'rule' THEN
        EXECUTE format(
            'SELECT to_jsonb(r) - ''{first,second,casino_id}''::text[] FROM %I r'
            ' WHERE r.casino_id = $1 AND r.id < $2'
            '   AND to_jsonb(r) ->> ''kind'' IS NOT DISTINCT FROM $3'
            '   AND to_jsonb(r) ->> ''role_id'' IS NOT DISTINCT FROM $4'
            ' ORDER BY r.id DESC LIMIT 1', TG_TABLE_NAME)
        INTO was USING (one ->> 'casino_id')::bigint, (one ->> 'id')::bigint, one ->> 'kind',
            one ->> 'role_id';
        what := CASE WHEN was IS NULL THEN 'made' ELSE 'changed' END;
        was := coalesce(was, '{}');
        now_is := now_is || (
            SELECT jsonb_build_object('rule', TG_ARGV[1], 'currency', currency,
                                      'minor_digits', minor_digits)
            FROM tables_casino WHERE id = (one ->> 'casino_id')::bigint);
    END IF;
    INSERT INTO settlement_setupchange (by, kind, subject, casino_id, what, before, after)
    SELECT role_given_by(), about.kind, about.subject, about.casino, what, was - secret,
           now_is - secret
    FROM (
        SELECT 'casino' AS kind, one ->> 'code' AS subject, (one ->> 'id')::bigint AS casino
        WHERE TG_TABLE_NAME = 'tables_casino'
        UNION ALL SELECT 'system', one ->> 'code', (one ->> 'casino_id')::bigint
        WHERE TG_TABLE_NAME = 'tables_jackpotsystem'
        UNION ALL SELECT 'table', concat(s.code, '/', one ->> 'code'), s.casino_id
        FROM tables_jackpotsystem s
        WHERE TG_TABLE_NAME = 'tables_gamingtable' AND s.id = (one ->> 'system_id')::bigint
        UNION ALL SELECT 'person', one ->> 'username', NULL WHERE TG_TABLE_NAME = 'auth_user'
        UNION ALL SELECT 'invitation', one ->> 'username', (one ->> 'casino_id')::bigint
        WHERE TG_TABLE_NAME = 'settlement_invitation'
        UNION ALL SELECT 'webhook', one ->> 'name', (one ->> 'casino_id')::bigint
        WHERE TG_TABLE_NAME = 'settlement_webhookendpoint'
        UNION ALL SELECT 'screen', one ->> 'name', (one ->> 'casino_id')::bigint
        WHERE TG_TABLE_NAME = 'jackpot_screen'
        UNION ALL SELECT 'slide', coalesce(nullif(one ->> 'title', ''), one ->> 'text'),
               (one ->> 'casino_id')::bigint
        WHERE TG_TABLE_NAME = 'jackpot_slide'
        UNION ALL SELECT 'look', c.code, c.id FROM tables_casino c
        WHERE TG_TABLE_NAME = 'jackpot_houselook' AND c.id = (one ->> 'casino_id')::bigint
        UNION ALL SELECT 'role', u.username, (one ->> 'casino_id')::bigint FROM auth_user u
        WHERE TG_TABLE_NAME = 'settlement_rolechange' AND u.id = (one ->> 'person_id')::integer
        UNION ALL SELECT 'rule', c.code, c.id FROM tables_casino c
        WHERE TG_ARGV[0] = 'rule' AND c.id = (one ->> 'casino_id')::bigint
    ) AS about;
    RETURN NULL;
END
$$;

CREATE TRIGGER set_up_is_written_down AFTER INSERT OR UPDATE OR DELETE ON tables_casino
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down();
ALTER TABLE tables_casino ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT OR UPDATE OR DELETE ON tables_jackpotsystem
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down();
ALTER TABLE tables_jackpotsystem ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT OR UPDATE OR DELETE ON tables_gamingtable
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down();
ALTER TABLE tables_gamingtable ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT OR DELETE
    OR UPDATE OF username, first_name, last_name, email, is_active ON auth_user
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down();
ALTER TABLE auth_user ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT OR UPDATE ON settlement_invitation
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down();
ALTER TABLE settlement_invitation ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT OR UPDATE OF ended_by_id
    ON settlement_webhookendpoint
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down();
ALTER TABLE settlement_webhookendpoint ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT OR UPDATE ON jackpot_screen
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down();
ALTER TABLE jackpot_screen ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT OR UPDATE ON jackpot_slide
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down();
ALTER TABLE jackpot_slide ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT OR UPDATE ON jackpot_houselook
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down();
ALTER TABLE jackpot_houselook ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT ON settlement_rolechange
    FOR EACH ROW WHEN (NEW.role_id IS NOT NULL) EXECUTE FUNCTION set_up_is_written_down();
ALTER TABLE settlement_rolechange ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT ON settlement_secondmanagerlimit
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down('rule', 'second_manager');
ALTER TABLE settlement_secondmanagerlimit ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT ON settlement_missedroundslimit
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down('rule', 'missed_rounds');
ALTER TABLE settlement_missedroundslimit ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT ON settlement_termsfactor
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down('rule', 'terms_factor');
ALTER TABLE settlement_termsfactor ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT ON settlement_variancelimit
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down('rule', 'variance_limit');
ALTER TABLE settlement_variancelimit ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT ON settlement_countingrule
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down('rule', 'counting');
ALTER TABLE settlement_countingrule ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT ON settlement_signaturepolicy
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down('rule', 'signatures');
ALTER TABLE settlement_signaturepolicy ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT ON settlement_idlelimit
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down('rule', 'idle_limit');
ALTER TABLE settlement_idlelimit ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT ON settlement_jurisdictionchoice
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down('rule', 'jurisdiction');
ALTER TABLE settlement_jurisdictionchoice ENABLE ALWAYS TRIGGER set_up_is_written_down;

CREATE TRIGGER set_up_is_written_down AFTER INSERT ON settlement_escalationpolicy
    FOR EACH ROW EXECUTE FUNCTION set_up_is_written_down('rule', 'escalation');
ALTER TABLE settlement_escalationpolicy ENABLE ALWAYS TRIGGER set_up_is_written_down;
