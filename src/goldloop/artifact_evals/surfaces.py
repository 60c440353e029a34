"""Do the surfaces that a loop declares exist? What can tell is injected, one resolver per kind of surface. Pure."""

from collections.abc import Callable, Mapping

import msgspec

from goldloop.artifact_evals.checks.renderable import RenderabilityProbe
from goldloop.artifact_evals.loops import KnowledgeLoopDefinition, KnowledgeSurface, parse_surface
from goldloop.artifact_evals.values import describe_error, shown

SurfaceResolver = Callable[[str], bool]  # from the key of a surface of its kind to whether there is one
SurfaceResolvers = Mapping[str, SurfaceResolver]  # by kind


class SurfaceResolution(msgspec.Struct, frozen=True, kw_only=True):
    surface: KnowledgeSurface
    resolved: bool
    reason: str


def resolve_knowledge_surfaces(
    loop: KnowledgeLoopDefinition, resolvers: SurfaceResolvers
) -> tuple[SurfaceResolution, ...]:
    """Each declared surface, in its order. A kind without a resolver, or one that crashes, is not resolved."""
    return tuple(_resolve(surface, resolvers) for surface in loop.surfaces)


def unresolved_knowledge_surfaces(
    loop: KnowledgeLoopDefinition, resolvers: SurfaceResolvers
) -> tuple[SurfaceResolution, ...]:
    return tuple(found for found in resolve_knowledge_surfaces(loop, resolvers) if not found.resolved)


def make_surface_probe(resolvers: SurfaceResolvers) -> RenderabilityProbe:
    """For `require_renderable(probe=…)`: the same resolvers decide about each record's own surface."""
    return lambda ref: _resolve(parse_surface(ref), resolvers).resolved


def _resolve(surface: KnowledgeSurface, resolvers: SurfaceResolvers) -> SurfaceResolution:
    resolver = resolvers.get(surface.kind)
    if resolver is None:
        return SurfaceResolution(
            surface=surface, resolved=False, reason=f"nothing can look up {shown(surface.kind)} surfaces"
        )
    try:
        found = bool(resolver(surface.key))
    except (Exception, SystemExit) as error:
        reason = f"looking up `{surface.ref}` crashed: {describe_error(error)}"
        return SurfaceResolution(surface=surface, resolved=False, reason=reason)
    reason = f"`{surface.ref}` is there" if found else f"there is no `{surface.ref}`"
    return SurfaceResolution(surface=surface, resolved=found, reason=reason)
