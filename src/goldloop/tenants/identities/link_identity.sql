-- Links an identity to an account; false when it is another account's.
CREATE FUNCTION link_identity(
    p_id uuid, p_account uuid, p_issuer text, p_subject text, p_provider text, p_email text
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    INSERT INTO public.identities (issuer, subject, id, account_id, provider, email)
    VALUES (p_issuer, p_subject, p_id, p_account, p_provider, p_email) ON CONFLICT (issuer, subject) DO NOTHING;
    RETURN EXISTS (SELECT FROM public.identities i
                   WHERE i.issuer = p_issuer AND i.subject = p_subject AND i.account_id = p_account);
END;
$$;
REVOKE ALL ON FUNCTION link_identity(uuid, uuid, text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION link_identity(uuid, uuid, text, text, text, text) TO goldloop_app;
