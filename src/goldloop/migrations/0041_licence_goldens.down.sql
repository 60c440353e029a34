ALTER TABLE eval_judge_licences DROP COLUMN goldens;
