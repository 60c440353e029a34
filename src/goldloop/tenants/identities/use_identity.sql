-- The account that an identity is linked to, which is used now; none where it is linked to none.
CREATE FUNCTION use_identity(p_issuer text, p_subject text, p_provider text, p_email text) RETURNS uuid
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    UPDATE public.identities SET provider = p_provider, email = p_email, last_used_at = now()
    WHERE issuer = p_issuer AND subject = p_subject RETURNING account_id
$$;
REVOKE ALL ON FUNCTION use_identity(text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_identity(text, text, text, text) TO goldloop_app;
