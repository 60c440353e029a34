"""Use case: who may be notified of a topic, readers with the permission that it was registered with."""

from collections.abc import Set

from goldloop.kit.events import TOPICS
from goldloop.kit.permissions import Permissions


def readable_topics(topics: Set[str], permissions: Permissions) -> list[str]:
    """The topics that this reader may be notified of; one that nobody registered goes to nobody."""
    return sorted(t for t in topics if t in TOPICS and permissions.allow(TOPICS[t]))
