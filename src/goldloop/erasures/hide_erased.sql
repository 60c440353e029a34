-- From now on nobody sees what an erasure is about, as far as indexes find it at once; what hangs on it is found by the job.
-- And nothing about it is taken in until that is over.
CREATE FUNCTION hide_erased(p_erasure uuid, p_kind text, p_subject text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    EXECUTE format('SET LOCAL app.erasure = %L', p_erasure);
    EXECUTE 'SET LOCAL app.goldens = ''open''';
    IF p_kind = 'conversation' THEN
        UPDATE public.conversations c SET erasing = p_erasure
        WHERE c.tenant_id = tenant AND c.project = p_subject[1] AND c.id = p_subject[2];
        UPDATE public.sessions s SET erasing = p_erasure
        WHERE s.tenant_id = tenant AND s.project = p_subject[1] AND s.conversation_id = p_subject[2];
        INSERT INTO public.erasure_blocks (tenant_id, kind, key, erasure_id)
        VALUES (tenant, 'conversation', p_subject[1] || '/' || p_subject[2], p_erasure) ON CONFLICT DO NOTHING;
    ELSIF p_kind = 'end_user' THEN
        UPDATE public.conversations c SET erasing = p_erasure WHERE c.tenant_id = tenant AND c.user_id = p_subject[1];
        UPDATE public.sessions s SET erasing = p_erasure
        WHERE s.tenant_id = tenant AND s.metadata ? 'user_id' AND s.metadata ->> 'user_id' = p_subject[1];
        INSERT INTO public.erasure_blocks (tenant_id, kind, key, erasure_id)
        VALUES (tenant, 'end_user', p_subject[1], p_erasure) ON CONFLICT DO NOTHING;
    ELSIF p_kind = 'session' THEN
        UPDATE public.sessions s SET erasing = p_erasure WHERE s.tenant_id = tenant AND s.id = p_subject[1]::uuid;
        INSERT INTO public.erasure_blocks (tenant_id, kind, key, erasure_id)
        SELECT tenant, 'session', n.key, p_erasure
        FROM public.sessions s, unnest(ARRAY[s.id::text, s.external_id]) AS n (key)
        WHERE s.tenant_id = tenant AND s.id = p_subject[1]::uuid AND n.key IS NOT NULL ON CONFLICT DO NOTHING;
    ELSIF p_kind = 'record' THEN
        UPDATE public.entities e SET erasing = p_erasure WHERE e.tenant_id = tenant AND e.id = p_subject[1]::uuid;
    END IF;
    EXECUTE 'SET LOCAL app.goldens = ''''';
END;
$$;
REVOKE ALL ON FUNCTION hide_erased(uuid, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hide_erased(uuid, text, text[]) TO goldloop_eraser;
