"""Which surfaces are real in a workspace: the pages of the UI, the workspace's views and its entity types. Pure."""

import msgspec

from goldloop.artifact_evals.surfaces import SurfaceResolvers

# Every address of the UI that needs no id. `cases/pages.json` has the same list, which vitest holds against the router.
PAGES = frozenset(
    {
        "/",
        "/admin/agent-review",
        "/admin/agent-review/conversations",
        "/admin/agent-review/conversations/satisfaction",
        "/admin/agent-review/conversations/unclear",
        "/knowledge-evals",
        "/records",
        "/settings",
        "/settings/account",
        "/settings/agents",
        "/settings/criteria-sets",
        "/settings/criteria-sets/new",
        "/settings/jobs",
        "/settings/keys",
        "/settings/members",
        "/settings/types",
        "/settings/views",
        "/settings/workspace",
        "/tasks",
    }
)


class KnownSurfaces(msgspec.Struct, frozen=True, kw_only=True):
    """What there is in a workspace, by slug."""

    views: frozenset[str]
    entity_types: frozenset[str]


def resolvers(known: KnownSurfaces) -> SurfaceResolvers:
    """`page:/records?type=x`, `view:care-plans`, `entity-list:pf_idea`."""
    return {
        "page": lambda key: key.partition("?")[0] in PAGES,
        "view": known.views.__contains__,
        "entity-list": known.entity_types.__contains__,
    }
