-- Puts a slide or a line up in a casino, in place of another one where it is named, for whoever may
-- manage screens there. Without a picture of its own it keeps that one's, if it wants it.
CREATE FUNCTION put_slide(who integer, of_casino bigint, wanted jsonb, drawn bytea, instead bigint)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET jackpot.given_by = '' AS $$
DECLARE
    made bigint;
BEGIN
    PERFORM set_config(
        'jackpot.given_by', require_set_up(who, 'manage_screens', of_casino), true);
    IF instead IS NOT NULL THEN
        UPDATE jackpot_slide SET ended_at = clock_timestamp()
        WHERE id = instead AND casino_id = of_casino AND ended_at IS NULL;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    INSERT INTO jackpot_slide
        (casino_id, is_line, title, text, others, picture, picture_type, picture_digest, seconds, days,
         starts, ends, first_day, last_day)
    SELECT of_casino, (wanted ->> 'is_line')::boolean, wanted ->> 'title', wanted ->> 'text',
           nullif(wanted -> 'others', 'null'),
           coalesce(drawn, o.picture),
           CASE WHEN drawn IS NULL THEN coalesce(o.picture_type, '')
                ELSE wanted ->> 'picture_type' END,
           coalesce(encode(sha256(drawn), 'hex'), o.picture_digest, ''),
           (wanted ->> 'seconds')::smallint,
           ARRAY(SELECT jsonb_array_elements_text(wanted -> 'days')::smallint),
           (wanted ->> 'starts')::time, (wanted ->> 'ends')::time,
           (wanted ->> 'first_day')::date, (wanted ->> 'last_day')::date
    FROM (SELECT 1) AS one
    LEFT JOIN jackpot_slide o ON o.id = instead AND (wanted ->> 'keep_picture')::boolean
    RETURNING id INTO made;
    UPDATE jackpot_screen SET version = version + 1
    WHERE casino_id = of_casino AND ended_at IS NULL;
    RETURN made;
END
$$;
REVOKE EXECUTE ON FUNCTION put_slide(integer, bigint, jsonb, bytea, bigint) FROM PUBLIC;
