"""Who may hear that something under a topic changed: those with the permission that the topic was registered with."""

from collections.abc import Set

from goldloop.kit.events import TOPICS
from goldloop.kit.permissions import Permissions


def audible(topics: Set[str], permissions: Permissions) -> list[str]:
    """The topics of which this reader may hear; one that nobody registered is heard by nobody."""
    return sorted(t for t in topics if t in TOPICS and permissions.allow(TOPICS[t]))
