-- Refuses every change and removal of what was recorded. Promise: nothing is rewritten. Tables
-- that are append-only are listed in append_only.sql of each app; a correction is a new row.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'table % is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation',
              HINT = 'What was recorded stands; record a correction as a new row.';
END
$$;
