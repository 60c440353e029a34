DROP TABLE eval_judge_licences, eval_judge_labels, eval_judge_sampled, eval_judge_samples;
DROP INDEX eval_replays_judge;
ALTER TABLE eval_replays DROP COLUMN judge_id, DROP COLUMN judged_at;
DROP TABLE eval_judges;
