"""The single source of which nodes of a chain somebody may read, and of where each is shown. Pure."""

from collections.abc import Callable
from urllib.parse import quote
from uuid import UUID

from goldloop.chain.model import NodeKind
from goldloop.chain.refs import Ref
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


def page_of(ref: Ref, record_id: UUID | None, *, reviews: bool) -> str | None:
    """The address of its page in the web UI, None where it has none. `record_id` is the record of a response; `reviews` is
    whether the reader has the pages for whoever reviews feedback and knowledge."""
    match ref.kind:
        case NodeKind.FIELD:
            return f"/records/{ref.id}?history={quote(ref.name, safe='')}"
        case NodeKind.RECORD | NodeKind.CLAIM:
            return f"/records/{ref.id}"
        case NodeKind.RESPONSE:
            return f"/records/{record_id}?tab=responses&response={ref.id}"
        case NodeKind.SESSION:
            return f"/sessions/{ref.id}"
        case NodeKind.KNOWLEDGE if reviews:
            return f"/admin/agent-review/knowledge?row={ref.id}"
        case NodeKind.FEEDBACK if reviews:
            return f"/admin/agent-review/feedback/all?status=any&feedback={ref.id}"
        case NodeKind.AGENT:
            return f"/settings/agents/{ref.id}" + ("?tab=versions" if ref.version else "")
        case NodeKind.GOLDEN:
            return f"/admin/agent-review/evals/golden/{ref.id}"
        case NodeKind.USER:
            return "/settings/members"
        case NodeKind.SOURCE if ref.text.startswith(("source:web:http://", "source:web:https://")):
            return None if "~" in ref.name[-33:-31] else ref.name
    return None
