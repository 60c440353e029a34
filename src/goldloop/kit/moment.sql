-- When something happens, for the rows and events that keep it: now, unless the transaction tells of the past
-- (`kit/moments.py`).
CREATE FUNCTION moment() RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(nullif(current_setting('app.moment', true), '')::timestamptz, clock_timestamp());
$$;
REVOKE ALL ON FUNCTION moment() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION moment() TO goldloop_app, goldloop_worker;
