"""Is there a real place that shows an artifact, and is there something to show? Pure."""

from collections.abc import Callable, Collection

from goldloop.artifact_evals.model import Check, CheckResult, KnowledgeArtifact
from goldloop.artifact_evals.values import is_filled, named, shown

RenderabilityProbe = Callable[[str], bool]

STUB_CHARACTERS = 12  # a text below this is a word or two: a heading, not something to read


def require_renderable(
    *payload_fields: str,
    known_surfaces: Collection[str] = (),
    probe: RenderabilityProbe | None = None,
    surface_field: str = "surface",
) -> Check:
    """It names a surface that exists, and each of `payload_fields` is in its payload, not as a stub.

    With a probe the probe alone decides whether a surface exists; `known_surfaces` is for where none can be asked.
    """
    if probe is None and not known_surfaces:
        raise ValueError("require_renderable needs known_surfaces or a probe")
    if not payload_fields:
        raise ValueError("require_renderable needs the fields that are shown")
    exists = frozenset(known_surfaces).__contains__ if probe is None else probe
    asked = "the probe finds no such surface" if probe else "it is none of the known surfaces"
    what = named(payload_fields)
    fields = (surface_field, *payload_fields)

    def run(artifact: KnowledgeArtifact) -> CheckResult:
        surface, payload = artifact.render.surface, artifact.render.payload
        if not isinstance(surface, str) or not surface:
            return CheckResult(
                False, 0.0, f"`{surface_field}` names no surface: it is shown nowhere", (surface_field,)
            )
        stubs = tuple(name for name in payload_fields if _is_stub(payload.get(name)))
        if not exists(surface):
            score = 0.0 if stubs else 0.5
            return CheckResult(
                False, score, f"`{surface_field}` is {shown(surface)}, but {asked}", (surface_field,)
            )
        if stubs:
            return CheckResult(False, 0.5, f"{named(stubs)} would show as a stub on {shown(surface)}", stubs)
        return CheckResult(True, 1.0, f"`{surface_field}` is {shown(surface)}, which shows {what}", fields)

    return Check(name="require_renderable", run=run, fields=fields)


def _is_stub(value: object) -> bool:
    return not is_filled(value) or (isinstance(value, str) and len(value.strip()) < STUB_CHARACTERS)
