-- What a page compares with what it shows when it hears of an event: the event's subject, and every id that its payload
-- names (keys that end in _id). Null for an event about the workspace itself: everything under its topic.
CREATE FUNCTION event_subjects(p_tenant uuid, p_subject text, p_payload jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_subject <> p_tenant::text THEN ARRAY(
        SELECT p_subject UNION
        SELECT x.value #>> '{}' FROM jsonb_each(p_payload) x
        WHERE right(x.key, 3) = '_id' AND jsonb_typeof(x.value) = 'string'
    ) END
$$;
REVOKE ALL ON FUNCTION event_subjects(uuid, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION event_subjects(uuid, text, jsonb) TO goldloop_app, goldloop_worker;
