-- Removes what has expired from the global tables.
CREATE FUNCTION prune_sign_ins() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    DELETE FROM public.sign_in_sessions WHERE expires_at < now();
    DELETE FROM public.invites WHERE expires_at < now();
    DELETE FROM public.password_resets WHERE expires_at < now();
    DELETE FROM public.sign_in_requests WHERE expires_at < now();
    DELETE FROM public.second_factors WHERE confirmed_at IS NULL AND created_at < now() - interval '1 day';
    DELETE FROM public.sign_in_attempts WHERE since < now() - interval '1 day'
$$;
REVOKE ALL ON FUNCTION prune_sign_ins() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prune_sign_ins() TO goldloop_worker;
