DROP INDEX events_address;
