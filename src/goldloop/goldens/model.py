"""Types and errors of goldens. What the API shows of them is in camelCase."""

from datetime import datetime
from uuid import UUID

import msgspec

from goldloop.evals.model import Effects
from goldloop.evals.stats.counting import NoiseFloor
from goldloop.kit.errors import Conflict, NotFound
from goldloop.sessions.model import SessionType
from goldloop.tenants.model import Party

DEFAULT_SET = "default"
MOST_FACTS = 50  # a person ticks them one by one
FACT_CHARACTERS = 500
NOTE_CHARACTERS = 2000
MOST_ALTERNATIVES = 20  # each is read whole wherever a replay is compared


class GoldenNotFound(NotFound):
    code, title = "golden_not_found", "There is no such golden in this workspace"


class GoldenSetNotFound(NotFound):
    code, title = "golden_set_not_found", "There is no such set of goldens in this workspace"


class GoldenExists(Conflict):
    """`conflict` says in which set it is."""

    code, title = "golden_exists", "This session is golden already, with other content"


class GoldenSetExists(Conflict):
    code, title = "golden_set_exists", "Another set of goldens has this name"


class SessionNotCompleted(Conflict):
    """`conflict` says what state it is in."""

    code, title = (
        "session_not_completed",
        "Only a session that was completed can be a golden, or as good as one",
    )


class SessionChanged(Conflict):
    code, title = "session_changed", "More of this session came meanwhile: try again"


class EventsLost(Conflict):
    code, title = "events_lost", "The blob store does not have all of this session any more"


class NotAnAlternative(Conflict):
    code, title = "not_an_alternative", "This session cannot be an alternative of this golden"


class Golden(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session that others are held to; its id is that of the session. `revision` grows when replays are to be compared
    otherwise; `floor` is how often the agent as it was passes it, null as long as nobody has tried. `alternatives` are other
    sessions that are as good."""

    session_id: UUID
    set_id: UUID
    set: str
    note: str
    criteria_set_id: UUID | None
    effects: Effects
    facts: list[str]
    min_pass: float | None
    revision: int
    type: SessionType
    agent: str | None
    agent_id: UUID | None
    agent_version: int | None
    first_message: str
    floor: NoiseFloor | None
    floor_passes: int | None
    floor_runs: int | None
    floor_run_id: UUID | None
    alternatives: list[UUID]
    promoted_at: datetime
    promoted_by: Party


class GoldenSet(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`version` grows when a golden comes, goes, or counts otherwise. `stable`, `flaky` and `broken` are goldens by their
    noise floor; of the others it is not known yet."""

    id: UUID
    name: str
    version: int
    goldens: int
    stable: int
    flaky: int
    broken: int
    created_at: datetime
