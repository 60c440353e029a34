DROP TABLE live_watchers, events;
