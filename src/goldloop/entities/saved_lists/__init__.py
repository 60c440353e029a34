"""Saved lists: filters, order and columns of a list of records, kept under a name, for oneself or for the workspace."""
