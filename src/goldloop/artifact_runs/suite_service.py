"""What a workspace has for each suite: its records, the newest run, whether the loop closes, a criteria set."""

import msgspec

from goldloop.artifact_evals.closure import LoopFacts, score_loop_closure_from_facts
from goldloop.artifact_evals.convert import knowledge_rubric_to_criteria_dimensions
from goldloop.artifact_evals.loops import KnowledgeLoopDefinition
from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_evals.rubric import KnowledgeRubric, leave_out
from goldloop.artifact_evals.suite import KnowledgeEvalSuite
from goldloop.artifact_evals.surfaces import resolve_knowledge_surfaces
from goldloop.artifact_runs import events, registry, service, store
from goldloop.artifact_runs.model import (
    LeftOut,
    LoopNotFound,
    LoopReport,
    SuiteList,
    SuiteOfWorkspace,
    SuiteSettings,
    section_of,
)
from goldloop.artifact_runs.permissions import ARTIFACT_EVALS_MANAGE, ARTIFACT_EVALS_READ
from goldloop.artifact_runs.surface_service import known_surfaces
from goldloop.artifact_runs.surfaces import resolvers
from goldloop.criteria import service as criteria
from goldloop.criteria import store as criteria_sets
from goldloop.criteria.model import CriteriaSet, CriteriaSetDefinition, Dimension, Kind
from goldloop.criteria.permissions import CRITERIA_SETS_MANAGE
from goldloop.entities.permissions import ENTITIES_UPDATE
from goldloop.entities.types import store as types
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, InvalidInput
from goldloop.kit.events import emit
from goldloop.kit.pagination import LAST_ID, LAST_TIME
from goldloop.tenants import roles
from goldloop.tenants.members import store as members
from goldloop.tenants.model import Role
from goldloop.tenants.settings import service as workspace_settings


async def list_suites(tx: Tx, *, hidden: bool) -> SuiteList:
    """Those that the workspace has a type for or has added; with `hidden` those alone that it has not."""
    tx.actor.check(ARTIFACT_EVALS_READ)
    found = registry.installed()
    suites = [await _of_workspace(tx, suite) for suite in found.suites.values()]
    return SuiteList(
        data=[suite for suite in suites if suite.shown is not hidden],
        next_cursor=None,
        problems=list(found.problems),
    )


async def show_suite(tx: Tx, slug: str) -> SuiteOfWorkspace:
    tx.actor.check(ARTIFACT_EVALS_READ)
    return await _of_workspace(tx, registry.access_suite(slug))


async def _of_workspace(tx: Tx, suite: KnowledgeEvalSuite) -> SuiteOfWorkspace:
    slug = suite.entity_type.slug if suite.entity_type else suite.rubric.name
    exists = await types.find(tx, slug) is not None
    settings = await service.read_settings(tx, suite.name)
    newest = await store.list_newest_first(tx, suite.name, (LAST_TIME, LAST_ID), 1)
    criteria_set = await criteria_sets.find_by_slug(tx, registry.criteria_set_slug(suite.name))
    return SuiteOfWorkspace(
        slug=suite.name,
        title=suite.title,
        entity_type=slug,
        entity_type_exists=exists,
        shown=exists or settings.added,
        added=settings.added,
        left_out=_left_out(suite, settings),
        records=await store.count_records(tx, slug) if exists else 0,
        loop=suite.loop.title if suite.loop else None,
        criteria_set_id=criteria_set.id if criteria_set and criteria_set.archived_at is None else None,
        newest_run=newest[0].shown if newest else None,
    )


def _left_out(suite: KnowledgeEvalSuite, settings: SuiteSettings) -> list[LeftOut]:
    """In the order of the dimensions; what the workspace says goes before what the suite says."""
    found = []
    for dimension in KnowledgeDimension:
        if (own := settings.left_out.get(dimension)) is not None:
            found.append(LeftOut(dimension=dimension, reason=own, declared_by="workspace"))
        elif (declared := suite.rubric.left_out.get(dimension)) is not None:
            found.append(LeftOut(dimension=dimension, reason=declared, declared_by="suite"))
    return found


async def change_settings(tx: Tx, slug: str, settings: SuiteSettings) -> SuiteOfWorkspace:
    """Show a suite or hide it, and leave dimensions out of it: from the next run on."""
    tx.actor.check(ARTIFACT_EVALS_MANAGE)
    suite = registry.access_suite(slug)
    _check_left_out(suite, settings)
    await workspace_settings.write(tx, section_of(slug), settings)
    await emit(tx, events.SUITE_CHANGED.of(tx.actor.tenant_id, events.OfSuite(suite=slug)))
    return await _of_workspace(tx, suite)


def _check_left_out(suite: KnowledgeEvalSuite, settings: SuiteSettings) -> None:
    blank = [
        Fault(path=f"/left_out/{place}/reason", code="empty", message=f"Say why {dimension} is left out")
        for place, (dimension, reason) in enumerate(settings.left_out.items())
        if not reason.strip()
    ]
    if blank:
        raise InvalidInput(errors=blank)
    if len({*suite.rubric.left_out, *settings.left_out}) == len(KnowledgeDimension):
        message = "Then nothing would be judged: keep at least one dimension"
        raise InvalidInput(errors=[Fault(path="/left_out", code="nothing_left", message=message)])


async def read_closure(tx: Tx, slug: str) -> LoopReport:
    """Whether the loop of a suite closes, by what is true of the workspace now."""
    tx.actor.check(ARTIFACT_EVALS_READ)
    loop = registry.access_suite(slug).loop
    if loop is None:
        raise LoopNotFound
    closure = score_loop_closure_from_facts(loop, await gather_facts(tx, loop))
    return LoopReport(
        loop=loop.name,
        title=loop.title,
        closed=closure.closed,
        score=closure.score,
        steps=list(closure.steps),
    )


async def gather_facts(tx: Tx, loop: KnowledgeLoopDefinition) -> LoopFacts:
    fields: dict[str, list[str]] = {}
    counts: dict[str, dict[str, int]] = {}
    reviewed: dict[str, int] = {}
    gate = loop.review_gate
    for record in loop.records:
        found = await types.find(tx, record.entity_type)
        if found is None:
            continue
        fields[found.slug] = list(found.json_schema.get("properties", {}))
        rows = await store.count_by_status(tx, found.id, gate)
        counts[found.slug] = {row.status: row.records for row in rows}
        reviewed[found.slug] = sum(row.reviewed for row in rows if row.status in record.finalized_statuses)
    surfaces = resolve_knowledge_surfaces(loop, resolvers(await known_surfaces(tx)))
    return LoopFacts(
        fields=fields,
        records=counts,
        reviewed=reviewed,
        reviewers=await members.count_joined(tx, _REVIEWERS),
        surfaces=[each.surface.ref for each in surfaces if each.resolved],
    )


_REVIEWERS = [role for role in Role if roles.permissions(role).allow(ENTITIES_UPDATE)]


async def make_criteria_set(tx: Tx, slug: str) -> CriteriaSet:
    """The criteria set that asks people what the suite's rubric checks, made if it is not there."""
    tx.actor.check(CRITERIA_SETS_MANAGE)
    suite = registry.access_suite(slug)
    entity_type = await service.access_type(tx, suite)
    known = await criteria_sets.find_by_slug(tx, registry.criteria_set_slug(slug))
    rubric = leave_out(suite.rubric, (await service.read_settings(tx, slug)).left_out)
    return known or await criteria.create(tx, None, criteria_set_of(suite, rubric, entity_type.slug))


def criteria_set_of(
    suite: KnowledgeEvalSuite, rubric: KnowledgeRubric, entity_type: str
) -> CriteriaSetDefinition:
    dimensions = msgspec.to_builtins(knowledge_rubric_to_criteria_dimensions(rubric))
    return CriteriaSetDefinition(
        slug=registry.criteria_set_slug(suite.name),
        name=f"{suite.title}: can it be trusted?"[:200],
        description=f"The dimensions that the suite {suite.name} checks, for people and models to rate.",
        kind=Kind.ASSESSMENT,
        entity_type_slugs=[entity_type],
        dimensions=msgspec.convert(dimensions, list[Dimension]),
    )
