DROP TABLE marks;
DROP SCHEMA procrastinate CASCADE;
