"""The registry of what becomes of a run's result. A session without a purpose of its own is a `prompt`: its result is its
answer.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from goldloop.evals.replay.tape import Tape
from goldloop.kit.db import Database, Tx
from goldloop.kit.outside import Outside
from goldloop.runtimes.model import Brief, ClaimedRun, Prompt, RunPlan
from goldloop.sessions.beginning import PROMPT
from goldloop.sessions.model import Session


async def _message_alone(tx: Tx, session: Session) -> Brief:
    return Brief(message=str(session.input.get("message", "")))


async def _nothing_wrong(tx: Tx, session: Session, output: Any) -> str | None:
    return None


async def _nothing_more(tx: Tx, session: Session, output: Any) -> None:
    return None


async def _nothing_frozen(tx: Tx, session: Session) -> Prompt | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """`brief` says what the agent is asked, `check` what is wrong with an output, for the agent to mend, and `finish` does
    something with it in the transaction that ends the session. What needs no agent to be asked has a `run` of its own; it
    returns the output, or raises Suspended where others go on with the session. `without_model` is what is done in place of
    asking where there is no model to ask. `prompt` is what its prompt has in place of what the workspace has learnt since, and
    `tape` what answers its tool calls."""

    name: str
    brief: Callable[[Tx, Session], Awaitable[Brief]] = _message_alone
    check: Callable[[Tx, Session, Any], Awaitable[str | None]] = _nothing_wrong
    finish: Callable[[Tx, Session, Any], Awaitable[None]] = _nothing_more
    run: Callable[[Database, RunPlan], Awaitable[Any]] | None = None
    without_model: Callable[[Database, RunPlan], Awaitable[Any]] | None = None
    prompt: Callable[[Tx, Session], Awaitable[Prompt | None]] = _nothing_frozen
    tape: Callable[[Database, Outside, ClaimedRun], Awaitable[Tape]] | None = None


PURPOSES: dict[str, Purpose] = {}


def register(purpose: Purpose) -> Purpose:
    PURPOSES[purpose.name] = purpose
    return purpose


register(Purpose(name=PROMPT))
