"""Feedback tokens, as text."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from goldloop.conversations.reactions.tokens import REACTION_TOKEN, Grant

SECRET = b"a secret"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
GRANT = Grant(
    tenant_id=UUID(int=1),
    tenant="acme",
    project="Support",
    conversation_id="c",
    turn_id="t",
    end_user="u",
    expires=int(NOW.timestamp()) + 60,
    issuer_kind="agent",
    issuer_id=UUID(int=2),
)
PREFIX = REACTION_TOKEN.prefix
TOKEN = REACTION_TOKEN.sign(GRANT, SECRET)


def test_what_was_signed_is_read() -> None:
    assert REACTION_TOKEN.read(TOKEN, SECRET, NOW) == GRANT
    assert TOKEN.startswith(PREFIX)


@pytest.mark.parametrize(
    "token",
    [
        "",
        PREFIX,
        f"{PREFIX}.",
        TOKEN.removeprefix(PREFIX),
        TOKEN[:-1],
        TOKEN + "A",
        TOKEN.replace(".", ""),
        TOKEN.partition(".")[0] + ".",
        PREFIX + "W10" + TOKEN[TOKEN.index(".") :],
        TOKEN[:10] + ("A" if TOKEN[10] != "A" else "B") + TOKEN[11:],
        "gl_aKey",
        f"{PREFIX}é.é",
    ],
)
def test_what_was_changed_is_nothing(token: str) -> None:
    assert REACTION_TOKEN.read(token, SECRET, NOW) is None


def test_another_installation_does_not_take_it() -> None:
    assert REACTION_TOKEN.read(TOKEN, b"another secret", NOW) is None


@pytest.mark.parametrize(("seconds", "valid"), [(0, True), (59, True), (60, False), (3600, False)])
def test_it_ends_by_its_time(seconds: int, valid: bool) -> None:
    later = datetime.fromtimestamp(NOW.timestamp() + seconds, UTC)
    assert (REACTION_TOKEN.read(TOKEN, SECRET, later) is not None) is valid


@pytest.mark.parametrize(
    ("place", "fits"),
    [
        (("acme", "Support", "c", "t"), True),
        (("acme", "Support", "c", "t2"), False),
        (("acme", "Support", "c2", "t"), False),
        (("acme", "Sales", "c", "t"), False),
        (("other", "Support", "c", "t"), False),
    ],
)
def test_it_is_for_one_turn(place: tuple[str, str, str, str], fits: bool) -> None:
    assert GRANT.is_for(*place) is fits
