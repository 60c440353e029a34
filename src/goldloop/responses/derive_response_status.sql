-- A response's status from the facts, by one rule (`promotion/rules.py` says the same for a preview):
--   rejected            a reviewer said no
--   submitted           nothing of it is promoted
--   superseded          something is, and none of it is the source of its field any more
--   promoted            every filled dimension that leads to a field is promoted
--   partially_promoted  some are
CREATE FUNCTION derive_response_status(p_status text, p_promotable text[], p_promoted text[], p_is_source boolean) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN p_status = 'rejected' THEN 'rejected'
        WHEN p_promoted = '{}' THEN 'submitted'
        WHEN NOT p_is_source THEN 'superseded'
        WHEN p_promotable <@ p_promoted THEN 'promoted'
        ELSE 'partially_promoted' END
$$;
REVOKE ALL ON FUNCTION derive_response_status(text, text[], text[], boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION derive_response_status(text, text[], text[], boolean) TO goldloop_app, goldloop_worker;
