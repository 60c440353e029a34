-- Feedback about a response whose cause was taken back: nobody thinks so any more. Returns what was reviewed before. The table is
-- open meanwhile: whoever takes a cause back need not be who may read what was made of it.
CREATE FUNCTION withdraw_feedback(p_response uuid, p_sources text[])
RETURNS TABLE (id uuid, source_type text, group_id uuid)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    before text := coalesce(current_setting('app.feedback', true), '');
    moment timestamptz := public.moment();
BEGIN
    EXECUTE 'SET LOCAL app.feedback = ''open''';
    RETURN QUERY SELECT f.id, f.source_type, f.group_id FROM public.feedback f
    WHERE f.tenant_id = tenant AND f.response_id = p_response AND f.source_type = ANY (p_sources)
      AND f.status <> 'pending' AND f.withdrawn_at IS NULL
    ORDER BY f.id FOR NO KEY UPDATE;
    UPDATE public.feedback f SET withdrawn_at = moment
    WHERE f.tenant_id = tenant AND f.response_id = p_response AND f.source_type = ANY (p_sources) AND f.withdrawn_at IS NULL;
    EXECUTE format('SET LOCAL app.feedback = %L', before);
END;
$$;
REVOKE ALL ON FUNCTION withdraw_feedback(uuid, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdraw_feedback(uuid, text[]) TO goldloop_app, goldloop_worker;
