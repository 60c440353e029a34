"""Imports the modules of every concept that register events, jobs, marks, listeners and tools."""

import goldloop.artifact_runs.events
import goldloop.artifact_runs.jobs
import goldloop.claims.events
import goldloop.claims.jobs
import goldloop.conversations.reactions.events
import goldloop.conversations.reactions.jobs
import goldloop.conversations.turns.events
import goldloop.conversations.turns.jobs
import goldloop.criteria.events
import goldloop.criteria.jobs
import goldloop.edges.jobs
import goldloop.entities.records.events
import goldloop.entities.records.jobs
import goldloop.entities.relations.events
import goldloop.entities.types.events
import goldloop.jobs.events
import goldloop.jobs.jobs
import goldloop.promotion.events
import goldloop.promotion.tools
import goldloop.responses.events
import goldloop.responses.jobs
import goldloop.tenants.agents.events
import goldloop.tenants.jobs
import goldloop.tenants.keys.events
import goldloop.tenants.members.events
import goldloop.tenants.workspaces.events
import goldloop.views.events
import goldloop.views.surfaces  # noqa: F401
