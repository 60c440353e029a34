"""What a workspace wants of trying again."""

from typing import Annotated

import msgspec

from goldloop.tenants.settings.model import Section

MOST_RERUNS = 10


class FeedbackSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`reruns` is how often in a row a rejected extraction is tried again by itself; 0: never."""

    reruns: Annotated[int, msgspec.Meta(ge=0, le=MOST_RERUNS)] = 2


SETTINGS = Section("feedback", FeedbackSettings)
