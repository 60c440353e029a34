-- What people wrote beside what an erasure is about, where the row itself stays: why a link of the chain was retracted and how
-- it was settled, and what was noted of a replay when a judge was checked. Verdicts and figures stay.
CREATE FUNCTION scrub_notes(p_erasure uuid, p_instead text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    named constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
    ids text[];
    retractions bigint; items bigint; labels bigint;
BEGIN
    SELECT coalesce(array_agg(i.place[1]), '{}') INTO ids FROM public.erasure_items i WHERE i.tenant_id = tenant
      AND i.erasure_id = p_erasure AND i.kind IN ('session', 'feedback', 'response', 'record', 'golden');
    UPDATE public.chain_items c SET note = NULL WHERE c.tenant_id = tenant AND c.note IS NOT NULL AND (
        substring(c.ref FROM named) = ANY (ids) OR EXISTS (SELECT FROM public.chain_retractions t WHERE t.tenant_id = tenant
            AND t.id = c.retraction_id AND (substring(t.ref FROM named) = ANY (ids) OR t.reason = p_instead)));
    GET DIAGNOSTICS items = ROW_COUNT;
    UPDATE public.chain_retractions t SET reason = p_instead
    WHERE t.tenant_id = tenant AND t.reason <> p_instead AND (substring(t.ref FROM named) = ANY (ids) OR EXISTS (
        SELECT FROM public.chain_items c WHERE c.tenant_id = tenant AND c.retraction_id = t.id AND substring(c.ref FROM named) = ANY (ids)));
    GET DIAGNOSTICS retractions = ROW_COUNT;
    UPDATE public.eval_judge_labels l SET note = '', "values" = public.without_text(l."values", p_instead)
    WHERE l.tenant_id = tenant AND (l.note <> '' OR l."values" <> public.without_text(l."values", p_instead)) AND (
        l.replay_id::text = ANY (ids) OR EXISTS (SELECT FROM public.eval_replays r WHERE r.tenant_id = tenant
            AND r.id = l.replay_id AND r.golden_id::text = ANY (ids)));
    GET DIAGNOSTICS labels = ROW_COUNT;
    RETURN jsonb_build_object('chain_retractions (text)', retractions, 'chain_items (text)', items, 'eval_judge_labels (text)', labels);
END;
$$;
REVOKE ALL ON FUNCTION scrub_notes(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION scrub_notes(uuid, text) TO goldloop_eraser;
