-- What agents did is forgotten.
DROP TABLE session_words, session_events, sessions;
