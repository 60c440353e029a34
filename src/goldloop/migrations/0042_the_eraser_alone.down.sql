CREATE OR REPLACE FUNCTION let_erase(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    act text;
BEGIN
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO goldloop_eraser', target);
    IF target = 'public.erasures'::regclass THEN
        RETURN;  -- which the others ask
    END IF;
    FOREACH act IN ARRAY ARRAY['UPDATE', 'DELETE'] LOOP
        EXECUTE format(
            'CREATE POLICY within_erasure_%s ON %s AS RESTRICTIVE FOR %s TO goldloop_eraser USING (EXISTS (SELECT FROM public.erasures e
                WHERE e.id = nullif(current_setting(''app.erasure'', true), '''')::uuid AND e.ended_at IS NULL))',
            lower(act), target, act);
    END LOOP;
END;
$$;
DO $$
DECLARE
    target regclass;
BEGIN
    FOR target IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relforcerowsecurity ORDER BY c.relname LOOP
        EXECUTE format('DROP POLICY IF EXISTS within_erasure_update ON %s', target);
        EXECUTE format('DROP POLICY IF EXISTS within_erasure_delete ON %s', target);
        PERFORM let_erase(target);
    END LOOP;
END;
$$;
