-- A group that nothing is in any more, with what was decided about it. One that has members stays: false. What was said of a
-- group by a model goes in any case, since it was said of what went.
CREATE FUNCTION erase_group(p_group uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.feedback_group_reviews v WHERE v.tenant_id = tenant AND v.group_id = p_group;
    IF EXISTS (SELECT FROM public.feedback f WHERE f.tenant_id = tenant AND f.group_id = p_group) THEN
        RETURN false;
    END IF;
    DELETE FROM public.feedback_moves m USING public.feedback_decisions d
    WHERE m.tenant_id = tenant AND d.tenant_id = tenant AND d.group_id = p_group AND m.decision_id = d.id;
    DELETE FROM public.feedback_decisions d WHERE d.tenant_id = tenant AND d.group_id = p_group;
    UPDATE public.feedback f SET near_group_id = NULL WHERE f.tenant_id = tenant AND f.near_group_id = p_group;
    DELETE FROM public.feedback_groups g WHERE g.tenant_id = tenant AND g.id = p_group;
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION erase_group(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_group(uuid) TO goldloop_eraser;
