DROP TABLE feedback_grouping, feedback_moves, feedback_decisions, feedback_words, feedback, feedback_groups;
