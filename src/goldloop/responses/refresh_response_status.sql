-- The statuses of responses, derived anew after the sources of fields have changed. It looks at what a record's fields
-- stand on, which are few, and not at all that ever happened to the response.
CREATE FUNCTION refresh_response_status(p_responses uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    UPDATE public.entity_responses r
    SET status = public.derive_response_status(r.status, r.promotable_fields, r.promoted_fields, EXISTS (
        SELECT FROM public.entity_field_sources s
        JOIN public.entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id
        WHERE s.tenant_id = tenant AND s.entity_id = r.entity_id AND h.response_id = r.id))
    WHERE r.tenant_id = tenant AND r.id = ANY (p_responses);
END;
$$;
REVOKE ALL ON FUNCTION refresh_response_status(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_response_status(uuid[]) TO goldloop_app, goldloop_worker;
