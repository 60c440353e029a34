"""The single source of which permission a reader needs to be notified of a topic. Pure."""

from collections.abc import Set

from goldloop.kit.permissions import Permissions
from goldloop.tenants import roles

READERS: dict[str, str] = {
    "workspace": roles.WORKSPACE_READ,
    "members": roles.MEMBERS_READ,
    "agents": roles.AGENTS_READ,
    "entity_types": roles.ENTITY_TYPES_READ,
    "entities": roles.ENTITIES_READ,
    "criteria_sets": roles.CRITERIA_SETS_READ,
    "views": roles.VIEWS_READ,
    "conversations": roles.CONVERSATIONS_READ,
    "knowledge_runs": roles.KNOWLEDGE_EVALS_READ,
    "keys": roles.KEYS_MANAGE,
    "jobs": roles.JOBS_READ,
    "marks": roles.JOBS_READ,
}


def readable_topics(topics: Set[str], permissions: Permissions) -> list[str]:
    """The topics that this reader may be notified of; a topic without an entry goes to nobody."""
    return sorted(t for t in topics if t in READERS and permissions.allow(READERS[t]))
