"""What every concept stands on: the database, errors, HTTP, ids, time, settings. Knows no domain word."""
