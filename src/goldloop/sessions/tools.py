"""What agents that run here may call to ask a person: `askPerson`."""

from typing import Annotated, Any

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.tools import AskPerson, tool
from goldloop.sessions.permissions import SESSIONS_READ


class AskAPerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    question: Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]


class PersonAnswered(msgspec.Struct, frozen=True, kw_only=True):
    answer: str


@tool(
    "askPerson",
    group="people",
    permission=SESSIONS_READ,
    arguments=AskAPerson,
    result=PersonAnswered,
    writes=False,
    waits=True,
)
async def ask_person(tx: Tx, call: AskAPerson) -> dict[str, Any]:
    """Ask a person of the workspace a question and wait for their answer. Use it where you cannot know or decide
    something yourself; it can take hours until somebody answers."""
    raise AskPerson(call.question)
