"""The single source of what each role may do. Pure."""

from goldloop.kit.permissions import Permissions, covers
from goldloop.tenants.model import Role

READ = "*.team.read"
MEMBERS_READ = "members.team.read"
AGENTS_READ = "agents.team.read"
JOBS_READ = "jobs.team.read"
WORKSPACE_READ = "workspace.team.read"
ENTITIES_READ = "entities.team.read"
ENTITIES_CREATE = "entities.team.create"
ENTITIES_UPDATE = "entities.team.update"
ENTITY_TYPES_READ = "entity_types.team.read"
ENTITY_TYPES_MANAGE = "entity_types.team.manage"
CRITERIA_SETS_READ = "criteria_sets.team.read"
CRITERIA_SETS_MANAGE = "criteria_sets.team.manage"
RESPONSES_READ = "responses.team.read"
RESPONSES_CREATE = "responses.team.create"
RESPONSES_REVIEW = "responses.team.review"
CONVERSATIONS_READ = "conversations.team.read"
CONVERSATIONS_CREATE = "conversations.team.create"
REACTIONS_CREATE = "reactions.own.create"
REACTIONS_SETTLE = "reactions.team.settle"
VIEWS_READ = "views.team.read"
VIEWS_MANAGE = "views.team.manage"
ARTIFACT_EVALS_READ = "artifact_evals.team.read"
ARTIFACT_EVALS_MANAGE = "artifact_evals.team.manage"
MEMBERS_MANAGE = "members.team.manage"
KEYS_MANAGE = "keys.team.manage"
AGENTS_MANAGE = "agents.team.manage"
JOBS_MANAGE = "jobs.team.manage"
WORKSPACE_MANAGE = "workspace.team.manage"

_VIEWER = {READ, "feedback.own.read", "feedback.own.create"}
_CONTRIBUTOR = _VIEWER | {
    RESPONSES_CREATE,
    ENTITIES_CREATE,
    CONVERSATIONS_CREATE,
    REACTIONS_CREATE,
}
_REVIEWER = _CONTRIBUTOR | {ENTITIES_UPDATE, RESPONSES_REVIEW, REACTIONS_SETTLE}
_ADMIN = _REVIEWER | {
    CRITERIA_SETS_MANAGE,
    ENTITY_TYPES_MANAGE,
    VIEWS_MANAGE,
    ARTIFACT_EVALS_MANAGE,
    MEMBERS_MANAGE,
    KEYS_MANAGE,
    AGENTS_MANAGE,
    JOBS_MANAGE,
    WORKSPACE_MANAGE,
    "admin.team.manage",
}
GRANTS: dict[Role, frozenset[str]] = {
    Role.VIEWER: frozenset(_VIEWER),
    Role.CONTRIBUTOR: frozenset(_CONTRIBUTOR),
    Role.REVIEWER: frozenset(_REVIEWER),
    Role.ADMIN: frozenset(_ADMIN),
    Role.OWNER: frozenset(_ADMIN | {"workspace.team.own"}),
}
SCOPES: dict[str, str] = {
    READ: "Read everything that the role may read",
    RESPONSES_CREATE: "Submit responses",
    ENTITIES_CREATE: "Create records",
    ENTITIES_UPDATE: "Edit records, promote and undo",
    RESPONSES_REVIEW: "Reject and reopen responses",
    CONVERSATIONS_CREATE: "Send conversations and turns",
    REACTIONS_CREATE: "React to turns",
    REACTIONS_SETTLE: "Settle unclear reactions",
    "feedback.own.create": "Give feedback",
    "feedback.own.read": "Read one's own feedback",
    CRITERIA_SETS_MANAGE: "Define criteria sets",
    ENTITY_TYPES_MANAGE: "Define entity types",
    VIEWS_MANAGE: "Lay out views",
    ARTIFACT_EVALS_MANAGE: "Score records with artifact eval suites",
    AGENTS_MANAGE: "Register and change agents",
    KEYS_MANAGE: "Make and revoke API keys",
    MEMBERS_MANAGE: "Invite, change and remove members",
    JOBS_MANAGE: "Retry and cancel jobs",
    WORKSPACE_MANAGE: "Rename the workspace",
    "admin.team.manage": "Everything under /api/admin",
}

_RANK = {role: rank for rank, role in enumerate(Role)}


def lower(one: Role, other: Role) -> Role:
    return min(one, other, key=_RANK.__getitem__)


def at_most(role: Role, ceiling: Role) -> bool:
    return _RANK[role] <= _RANK[ceiling]


def permissions(role: Role, scopes: list[str] | None = None) -> Permissions:
    return Permissions(grants=GRANTS[role], scopes=None if scopes is None else frozenset(scopes))


SYSTEM = Permissions(grants=frozenset({"*.*.*"}))


def may_give(role: Role, own: Role, narrowed: frozenset[str] | None) -> bool:
    """Whether somebody of role `own`, acting through a key with the scopes `narrowed`, may give `role`: nobody
    grants more than they have."""
    covered = narrowed is None or all(
        any(covers(scope, grant) for scope in narrowed) for grant in GRANTS[role]
    )
    return covered and at_most(role, own)


def unknown_scopes(scopes: list[str]) -> list[int]:
    """The indexes of scopes that no role grants, which are typing errors."""
    granted = frozenset().union(*GRANTS.values())
    return [
        place
        for place, scope in enumerate(scopes)
        if not any(covers(g, scope) or covers(scope, g) for g in granted)
    ]


def scopes_beyond(scopes: list[str] | None, own: frozenset[str] | None) -> bool:
    """Whether a new key's scopes reach beyond those of the key that makes it."""
    if own is None:
        return False
    return scopes is None or not all(any(covers(mine, s) for mine in own) for s in scopes)
