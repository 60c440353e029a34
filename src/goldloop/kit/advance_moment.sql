-- Moves on the moment that the transaction tells of, never beyond the present. Does nothing where it follows the clock.
CREATE FUNCTION advance_moment(p_by interval) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    told timestamptz := nullif(current_setting('app.moment', true), '')::timestamptz;
BEGIN
    IF told IS NOT NULL THEN
        PERFORM set_config('app.moment', least(told + p_by, now())::text, true);
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION advance_moment(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION advance_moment(interval) TO goldloop_worker;
