-- Of how many goldens the replays were that a licence rests on; null where that was not noted.
ALTER TABLE eval_judge_licences ADD COLUMN goldens integer;
