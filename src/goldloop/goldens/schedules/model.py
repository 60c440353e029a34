"""What a task that replays a set is configured with."""

from typing import Annotated, Literal

import msgspec

from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.model import MARGIN
from goldloop.goldens.runs.model import MOST_AGENTS, Context, Dollars, Margin, OfAgent, Repeats, SetName


class EvalRunConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """As `POST /api/admin/evals/runs/set` takes it. The verdict is about the agent of the task, in the version that it has when
    the task runs; `agents` are others that are tried beside it."""

    set_name: SetName
    agents: Annotated[list[OfAgent], msgspec.Meta(max_length=MOST_AGENTS - 1)] = msgspec.field(
        default_factory=list
    )
    baseline: OfAgent | Literal["none"] | None = None
    repeats: Repeats = 3
    mode: Mode = Mode.HYBRID
    context: Context = Context.SNAPSHOT
    margin: Margin = MARGIN
    max_cost: Dollars | None = None
