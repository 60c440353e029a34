-- The criteria set that gives the score which a type's records show, however its id is spelled; null where there is none.
CREATE FUNCTION featured_set(p_config jsonb) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN s.hex ~ '^[0-9a-f]{32}$' THEN s.hex::uuid END
    FROM (SELECT translate(regexp_replace(lower(p_config #>> '{featuredScore,criteriaSetId}'), 'urn:|uuid:', '', 'g'),
                           '{}-', '') AS hex) s
$$;
REVOKE ALL ON FUNCTION featured_set(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION featured_set(jsonb) TO goldloop_app, goldloop_worker;
