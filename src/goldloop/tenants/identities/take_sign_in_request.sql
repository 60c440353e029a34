-- What a browser was sent to a provider with: one secret, once.
CREATE FUNCTION take_sign_in_request(p_hash bytea) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    taken record;
BEGIN
    DELETE FROM public.sign_in_requests r WHERE r.hash = p_hash RETURNING r.content, r.expires_at INTO taken;
    RETURN CASE WHEN taken.expires_at > now() THEN taken.content END;
END;
$$;
REVOKE ALL ON FUNCTION take_sign_in_request(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_sign_in_request(bytea) TO goldloop_app;
