"""What a workspace wants of its knowledge."""

import msgspec

from goldloop.tenants.settings.model import Section


class KnowledgeSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`review` is whether the review agent works every hour in which feedback waits. `activates` is whether what agents write
    down becomes active without a person where it passes every check."""

    review: bool = False
    activates: bool = False


SETTINGS = Section("knowledge", KnowledgeSettings)
