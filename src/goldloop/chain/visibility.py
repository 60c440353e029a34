"""The single source of which nodes of a chain somebody may read, and of where each is shown. Pure."""

from collections.abc import Callable
from functools import lru_cache

from goldloop.chain.model import NodeKind
from goldloop.chain.refs import Ref, is_shortened
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.feedback.permissions import FEEDBACK_READ
from goldloop.goldens.permissions import EVALS_READ
from goldloop.knowledge.permissions import KNOWLEDGE_READ
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.sessions.permissions import SESSIONS_READ
from goldloop.tenants.permissions import AGENTS_READ, MEMBERS_READ

# Of feedback the database shows each person what they may read; that it is there at all is asked here.
READ_BY = {
    NodeKind.FIELD: ENTITIES_READ,
    NodeKind.RECORD: ENTITIES_READ,
    NodeKind.CLAIM: ENTITIES_READ,
    NodeKind.RESPONSE: RESPONSES_READ,
    NodeKind.SOURCE: RESPONSES_READ,
    NodeKind.SESSION: SESSIONS_READ,
    NodeKind.MANIFEST: KNOWLEDGE_READ,
    NodeKind.KNOWLEDGE: KNOWLEDGE_READ,
    NodeKind.FEEDBACK: FEEDBACK_READ,
    NodeKind.AGENT: AGENTS_READ,
    NodeKind.GOLDEN: EVALS_READ,
    NodeKind.USER: MEMBERS_READ,
}


def readable(may: Callable[[str], bool]) -> list[NodeKind]:
    return [kind for kind in NodeKind if may(READ_BY[kind])]


def page_of(ref: Ref, record_id: str | None, *, reviews: bool) -> str | None:
    """The address of its page in the web UI, or of a page of the web; None where it has none. `record_id` is the record of a
    response; `reviews` is whether the reader has the pages for whoever reviews feedback and knowledge."""
    kind = ref.kind
    if kind in _REVIEWED and not reviews:
        return None
    if kind is NodeKind.FIELD:
        return f"/records/{ref.id}?history={_escaped(ref.name)}"
    if kind is NodeKind.RESPONSE:
        return f"/records/{record_id}?tab=responses&response={ref.id}"
    if kind is NodeKind.SOURCE:
        return ref.name if _is_address(ref) else None
    if kind is NodeKind.AGENT and ref.version:
        return f"{_PAGES[kind]}{ref.id}?tab=versions"
    if kind is NodeKind.USER:
        return "/settings/members"
    return f"{_PAGES[kind]}{ref.id}" if kind in _PAGES else None


_REVIEWED = {NodeKind.KNOWLEDGE, NodeKind.FEEDBACK}
_PAGES = {
    NodeKind.RECORD: "/records/",
    NodeKind.CLAIM: "/records/",
    NodeKind.SESSION: "/sessions/",
    NodeKind.KNOWLEDGE: "/admin/agent-review/knowledge?row=",
    NodeKind.FEEDBACK: "/admin/agent-review/feedback/all?status=any&feedback=",
    NodeKind.AGENT: "/settings/agents/",
    NodeKind.GOLDEN: "/admin/agent-review/evals/golden/",
}


_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")


def _is_address(ref: Ref) -> bool:
    """Whether the name is a whole address: one that was cut leads nowhere."""
    web = ref.text.startswith(("source:web:http://", "source:web:https://"))
    return web and not is_shortened(ref.name)


@lru_cache(maxsize=1024)  # thousands of values have the same few fields
def _escaped(name: str) -> str:
    """A name as a part of an address."""
    return "".join(
        sign if sign in _PLAIN else "".join(f"%{byte:02X}" for byte in sign.encode()) for sign in name
    )
