-- What goes last of a workspace: what people keep for themselves, each as theirs, and the erasure with its run. Foreign keys to
-- the workspace would take them along, but a sharded database has none.
CREATE FUNCTION erase_rest() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    person uuid;
BEGIN
    EXECUTE 'SET LOCAL app.archive = ''open''';
    FOR person IN SELECT DISTINCT m.user_id FROM public.user_memories m WHERE m.tenant_id = tenant LOOP
        EXECUTE format('SET LOCAL app.memories = %L', person);
        DELETE FROM public.user_memories m WHERE m.tenant_id = tenant AND m.user_id = person;
    END LOOP;
    DELETE FROM public.runs r WHERE r.tenant_id = tenant;
END;
$$;
REVOKE ALL ON FUNCTION erase_rest() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_rest() TO goldloop_eraser;
