DROP INDEX conv_reactions_by_kind;
DROP INDEX conv_reactions_of_user;
