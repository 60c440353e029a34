-- The agents that every workspace has stay: sessions and responses name them.
DROP TABLE tasks;
