-- What became of workspaces that were deleted, newest first, for the operator's commands.
CREATE FUNCTION list_erased_workspaces(p_limit integer)
RETURNS TABLE (workspace_id uuid, slug text, gone jsonb, requested_at timestamptz, ended_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT w.workspace_id, w.slug, w.gone, w.requested_at, w.ended_at FROM public.erased_workspaces w ORDER BY w.ended_at DESC LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION list_erased_workspaces(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_erased_workspaces(integer) TO goldloop_worker;
