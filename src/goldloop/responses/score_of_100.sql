-- A normalized score as it is kept and shown: of 100, to two decimals, half of a hundredth upwards
-- (`entities/scores.py` and `score.ts` do the same).
CREATE FUNCTION score_of_100(p_normalized double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE AS $$
    SELECT round((p_normalized * 100)::numeric, 2)::double precision
$$;
REVOKE ALL ON FUNCTION score_of_100(double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION score_of_100(double precision) TO goldloop_app, goldloop_worker;
