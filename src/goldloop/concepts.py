"""Imports the modules of every concept that register jobs, marks, listeners and tools."""

import goldloop.artifact_runs.jobs
import goldloop.claims.jobs
import goldloop.conversations.reactions.jobs
import goldloop.conversations.turns.jobs
import goldloop.criteria.jobs
import goldloop.jobs.events
import goldloop.jobs.jobs
import goldloop.promotion.tools
import goldloop.responses.edges.jobs
import goldloop.responses.jobs
import goldloop.tenants.jobs
import goldloop.views.surfaces  # noqa: F401
