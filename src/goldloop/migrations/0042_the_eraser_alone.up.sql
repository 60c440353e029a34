-- What binds the eraser binds nobody else. A policy is for a role and for whoever inherits it, and a login may have been
-- granted the eraser so that it does: what it owns it would then change and delete without touching a row, and nobody told.
CREATE OR REPLACE FUNCTION let_erase(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    act text;
BEGIN
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO goldloop_eraser', target);
    IF target = 'public.erasures'::regclass THEN
        RETURN;  -- which the others ask
    END IF;
    FOREACH act IN ARRAY ARRAY['UPDATE', 'DELETE'] LOOP
        EXECUTE format('DROP POLICY IF EXISTS within_erasure_%s ON %s', lower(act), target);
        EXECUTE format(
            'CREATE POLICY within_erasure_%s ON %s AS RESTRICTIVE FOR %s TO goldloop_eraser USING (
                CURRENT_USER <> ''goldloop_eraser'' OR EXISTS (SELECT FROM public.erasures e
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
        PERFORM let_erase(target);
    END LOOP;
END;
$$;
