-- Counts a step of a long file of excluded persons that did not come to its end, such as one that
-- waited too long for payments: how many there were since the last one that did.
CREATE FUNCTION count_exclusion_fault(of_file bigint) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE settlement_exclusionfile SET faults = faults + 1
    WHERE id = of_file AND state = 'running' RETURNING faults
$$;
REVOKE EXECUTE ON FUNCTION count_exclusion_fault(bigint) FROM PUBLIC;
