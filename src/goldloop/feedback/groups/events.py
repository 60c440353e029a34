"""Events of groups of feedback."""

from uuid import UUID

from msgspec import UNSET, UnsetType

from goldloop.feedback.entries.events import FEEDBACK
from goldloop.feedback.model import DismissReason, GroupKind
from goldloop.kit.events import Payload, declare


class OfGroup(Payload, frozen=True, kw_only=True):
    kind: GroupKind
    members: int
    origins: int


class GroupDismissed(OfGroup, frozen=True, kw_only=True):
    reason: DismissReason


class GroupMerged(OfGroup, frozen=True, kw_only=True):
    merged_into_id: UUID


class GroupAdded(OfGroup, frozen=True, kw_only=True):
    """`added` is how many were put in, `from_ids` the groups that they were in."""

    added: int
    from_ids: list[UUID]


class GroupSplit(OfGroup, frozen=True, kw_only=True):
    """`new_group_id` is that of the members which were taken out, where there is one."""

    new_group_id: UUID | UnsetType = UNSET


class GroupReopened(OfGroup, frozen=True, kw_only=True):
    """`other_ids` are other groups whose members changed with it."""

    other_ids: list[UUID]


PROPOSED = declare(
    "feedback_group.proposed",
    topic=FEEDBACK,
    subject="group",
    payload=OfGroup,
    when="Two or more signals of different origin turned out to be about one matter, or an administrator flagged one",
)
GREW = declare(
    "feedback_group.grew",
    topic=FEEDBACK,
    subject="group",
    payload=OfGroup,
    when="More signals of different origin joined a group that was proposed",
)
SHRANK = declare(
    "feedback_group.shrank",
    topic=FEEDBACK,
    subject="group",
    payload=OfGroup,
    when="Members of a group turned out to belong to another by their wording",
)
RETURNED = declare(
    "feedback_group.returned",
    topic=FEEDBACK,
    subject="group",
    payload=OfGroup,
    when="A group that was dismissed or snoozed has escalated since, and waits again",
)
DISMISSED = declare(
    "feedback_group.dismissed",
    topic=FEEDBACK,
    subject="group",
    payload=GroupDismissed,
    when="Somebody dismissed a group, with a reason",
)
SNOOZED = declare(
    "feedback_group.snoozed",
    topic=FEEDBACK,
    subject="group",
    payload=OfGroup,
    when="Somebody put a group off until more come",
)
REOPENED = declare(
    "feedback_group.reopened",
    topic=FEEDBACK,
    subject="group",
    payload=GroupReopened,
    when="Somebody took back a decision about a group",
)
MERGED = declare(
    "feedback_group.merged",
    topic=FEEDBACK,
    subject="group",
    payload=GroupMerged,
    when="Somebody said that two groups are one",
)
SPLIT = declare(
    "feedback_group.split",
    topic=FEEDBACK,
    subject="group",
    payload=GroupSplit,
    when="Somebody took members out of a group",
)
ADDED = declare(
    "feedback_group.added",
    topic=FEEDBACK,
    subject="group",
    payload=GroupAdded,
    when="Somebody put feedback into a group",
)
