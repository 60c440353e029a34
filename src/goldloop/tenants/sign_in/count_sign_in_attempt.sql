-- Counts one sign-in attempt of a subject; returns the seconds to wait when it is over the limit, else 0.
CREATE FUNCTION count_sign_in_attempt(p_subject bytea, p_limit integer, p_window interval) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    INSERT INTO public.sign_in_attempts AS a (subject, since, attempts) VALUES (p_subject, now(), 1)
    ON CONFLICT (subject) DO UPDATE SET
        since = CASE WHEN a.since < now() - p_window THEN now() ELSE a.since END,
        attempts = CASE WHEN a.since < now() - p_window THEN 1 ELSE a.attempts + 1 END
    RETURNING CASE WHEN attempts > p_limit
        THEN ceil(extract(epoch FROM since + p_window - now()))::integer ELSE 0 END
$$;
REVOKE ALL ON FUNCTION count_sign_in_attempt(bytea, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_sign_in_attempt(bytea, integer, interval) TO goldloop_app;
