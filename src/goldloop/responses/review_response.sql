-- A reviewer's word on a response. False when its status is not p_before (any more), or something of it was promoted
-- meanwhile.
CREATE FUNCTION review_response(p_entity uuid, p_response uuid, p_before text, p_after text, p_notes text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    entity uuid;
    moment timestamptz;
BEGIN
    PERFORM FROM public.entities e  -- the record first, as promotion does: two never wait for each other
    WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE;
    -- By its id alone: with the record beside it, a plan may go through all responses to that.
    SELECT r.entity_id INTO entity FROM public.entity_responses r WHERE r.tenant_id = tenant AND r.id = p_response;
    IF entity IS DISTINCT FROM p_entity THEN
        RETURN false;
    END IF;
    moment := public.moment();
    UPDATE public.entity_responses SET status = p_after, review_notes = p_notes, reviewed_at = moment,
        reviewed_by_kind = split_part(actor, ':', 1), reviewed_by = nullif(split_part(actor, ':', 2), '')::uuid
    WHERE tenant_id = tenant AND id = p_response AND status = p_before
      AND promoted_fields = '{}' AND withdrawn_at IS NULL;
    RETURN FOUND;
END;
$$;
REVOKE ALL ON FUNCTION review_response(uuid, uuid, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review_response(uuid, uuid, text, text, text) TO goldloop_app, goldloop_worker;
