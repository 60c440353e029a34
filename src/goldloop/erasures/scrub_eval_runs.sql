-- What runs of evals say in words of goldens that are erased, out of their reports; the figures stay.
CREATE FUNCTION scrub_eval_runs(p_goldens uuid[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    run record;
    cleaned jsonb;
    changed bigint := 0;
BEGIN
    FOR run IN SELECT r.id, r.results FROM public.eval_runs r WHERE r.tenant_id = tenant AND r.results IS NOT NULL
        AND EXISTS (SELECT FROM public.eval_replays p WHERE p.tenant_id = tenant AND p.run_id = r.id AND p.golden_id = ANY (p_goldens))
    LOOP
        SELECT coalesce(jsonb_agg(CASE WHEN jsonb_typeof(a.report -> 'goldens') = 'array' THEN a.report || jsonb_build_object('goldens', (
            SELECT coalesce(jsonb_agg(CASE WHEN (g.golden ->> 'goldenId')::uuid = ANY (p_goldens)
                THEN g.golden || '{"divergence": null, "error": null}' ELSE g.golden END ORDER BY g.place), '[]')
            FROM jsonb_array_elements(a.report -> 'goldens') WITH ORDINALITY AS g (golden, place))) ELSE a.report END ORDER BY a.place), '[]')
        INTO cleaned
        FROM jsonb_array_elements(run.results) WITH ORDINALITY AS a (report, place);
        IF cleaned <> run.results THEN
            UPDATE public.eval_runs r SET results = cleaned WHERE r.tenant_id = tenant AND r.id = run.id;
            changed := changed + 1;
        END IF;
    END LOOP;
    RETURN changed;
END;
$$;
REVOKE ALL ON FUNCTION scrub_eval_runs(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION scrub_eval_runs(uuid[]) TO goldloop_eraser;
