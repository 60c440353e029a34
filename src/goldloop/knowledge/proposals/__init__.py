"""Proposals that are made of groups of feedback, without a model. A person decides about each."""
