-- A response's status from the facts, by one rule:
--   rejected            a reviewer said no
--   submitted           nothing of it is promoted
--   superseded          something is, and none of it is the source of its field any more
--   promoted            every filled dimension that leads to a field is promoted
--   partially_promoted  some are
CREATE FUNCTION refresh_response_status(p_responses uuid[]) RETURNS void
LANGUAGE sql AS $$
    UPDATE public.entity_responses r
    SET status = CASE
        WHEN r.status = 'rejected' THEN 'rejected'
        WHEN r.promoted_fields = '{}' THEN 'submitted'
        WHEN NOT EXISTS (
            SELECT FROM public.entity_field_history h
            JOIN public.entity_field_sources s ON s.tenant_id = h.tenant_id AND s.entity_id = h.entity_id
                AND s.field = h.field AND s.history_id = h.id
            WHERE h.tenant_id = r.tenant_id AND h.response_id = r.id
        ) THEN 'superseded'
        WHEN r.promotable_fields <@ r.promoted_fields THEN 'promoted'
        ELSE 'partially_promoted' END
    WHERE r.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND r.id = ANY (p_responses)
$$;
REVOKE ALL ON FUNCTION refresh_response_status(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_response_status(uuid[]) TO goldloop_app, goldloop_worker;
