-- A claim's aggregate into its content, with the history of both fields: one update under its row lock, so that nobody
-- else's change of another field is lost. False where there is nothing to change, and for a claim that is gone or belongs
-- to another tenant. The caller has checked what the schema says. For the worker alone.
CREATE FUNCTION apply_claim_aggregate(
    p_tenant_id uuid, p_claim_id uuid, p_source_count integer, p_quality_avg double precision
) RETURNS boolean
LANGUAGE plpgsql SET search_path = '' AS $$
DECLARE
    held record;
    moment timestamptz;
BEGIN
    IF coalesce(current_setting('app.tenant', true), '') = '' THEN
        EXECUTE format('SET LOCAL app.tenant = %L', p_tenant_id);
    END IF;
    IF coalesce(current_setting('app.actor', true), '') = '' THEN
        EXECUTE 'SET LOCAL app.actor = ''system:''';
    END IF;
    SELECT e.content, e.version,
           e.content || jsonb_build_object('source_count', p_source_count, 'source_quality_avg', p_quality_avg) AS wanted
    INTO held
    FROM public.entities e WHERE e.tenant_id = p_tenant_id AND e.id = p_claim_id FOR NO KEY UPDATE;
    IF NOT FOUND OR held.wanted = held.content THEN
        RETURN false;
    END IF;
    moment := public.moment();
    UPDATE public.entities e SET content = held.wanted, version = held.version + 1, updated_at = moment
    WHERE e.tenant_id = p_tenant_id AND e.id = p_claim_id;
    PERFORM public.record_field_changes(p_claim_id, 'aggregate', held.content, held.wanted, held.version + 1);
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION apply_claim_aggregate(uuid, uuid, integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION apply_claim_aggregate(uuid, uuid, integer, double precision) TO goldloop_worker;
