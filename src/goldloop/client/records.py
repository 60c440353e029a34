"""Records and their types, relations, provenance; criteria sets, promotion; views."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from goldloop.client.archive_types import RecordImport
from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id
from goldloop.client.types import (
    Agreement,
    CriteriaSet,
    Dimension,
    Entity,
    EntityCount,
    EntityType,
    FieldChange,
    PromotionPreview,
    Relation,
    Response,
    View,
)
from goldloop.client.workspace import Values, given

UNSET: Final = msgspec.UNSET  # stands for "as it is" where None clears
Unset = msgspec.UnsetType


class EntityTypeMethods(Resource[Kind]):
    @operation("POST", "/api/entity-types", safe=True)
    def create(
        self,
        slug: str,
        name: str,
        json_schema: Values,
        *,
        field_configs: Values | None = None,
        config: Values | None = None,
        id: Id | None = None,
    ) -> Call[EntityType]:
        body = {"slug": slug, "name": name, "json_schema": json_schema, "id": id or new_id()}
        return Call(EntityType, body=body | given({"field_configs": field_configs, "config": config}))

    @listing("/api/entity-types")
    def list(self) -> Call[Page[EntityType]]:
        return Call(Page[EntityType])

    @operation("GET", "/api/entity-types/{slug}")
    def show(self, slug: str) -> Call[EntityType]:
        return Call(EntityType, (slug,))

    @operation("PATCH", "/api/entity-types/{slug}")
    def change(
        self,
        slug: str,
        version: int | None = None,
        *,
        name: str | None = None,
        json_schema: Values | None = None,
        field_configs: Values | None = None,
        config: Values | None = None,
    ) -> Call[EntityType]:
        """`version` is the one that was read: if another is there by now, it is a `Conflict`, and without it the last
        word counts. What is None stays as it is. A schema that records do not satisfy is a `Conflict` that names some."""
        optional = {
            "version": version,
            "name": name,
            "json_schema": json_schema,
            "field_configs": field_configs,
            "config": config,
        }
        return Call(EntityType, (slug,), body=given(optional))

    @operation("DELETE", "/api/entity-types/{slug}")
    def remove(self, slug: str) -> Call[None]:
        return Call(None, (slug,))


class EntityMethods(Resource[Kind]):
    @operation("POST", "/api/entities", safe=True)
    def create(
        self,
        type: str,
        title: str,
        content: Values | None = None,
        *,
        metadata: Values | None = None,
        id: Id | None = None,
    ) -> Call[Entity]:
        body = {"type": type, "title": title, "id": id or new_id()}
        return Call(Entity, body=body | given({"content": content, "metadata": metadata}))

    @listing("/api/entities")
    def list(
        self,
        *,
        type: str | None = None,
        q: str | None = None,
        min_score: float | None = None,
        waits: bool | None = None,
        sort: str | None = None,
    ) -> Call[Page[Entity]]:
        """`sort` is created, updated, title or score, with a minus from the top down (`-created`); with a type also
        `content.<field>`. `q` finds words of title and content, or their beginnings, and forgives a typo. `waits`
        leaves those to which a response waits for review."""
        query = {"type": type, "q": q, "min_score": min_score, "waits": waits, "sort": sort}
        return Call(Page[Entity], query=query)

    @operation("GET", "/api/entities/count")
    def count(
        self,
        *,
        type: str | None = None,
        q: str | None = None,
        min_score: float | None = None,
        waits: bool | None = None,
    ) -> Call[EntityCount]:
        """How many records a list has, up to 10,000; `more` where there are more."""
        return Call(EntityCount, query={"type": type, "q": q, "min_score": min_score, "waits": waits})

    @operation("POST", "/api/entities/import")
    def import_csv(self, type: str, text: str, *, dry_run: bool = True) -> Call[RecordImport]:
        """A table with the column `title` and names of fields: all its records or none. With `dry_run` only a look at what would
        come of it; `errors` say what is wrong, by row and column."""
        return Call(RecordImport, body={"type": type, "text": text, "dry_run": dry_run})

    @operation("GET", "/api/entities/{entity_id}")
    def show(self, entity_id: Id) -> Call[Entity]:
        return Call(Entity, (entity_id,))

    @operation("PATCH", "/api/entities/{entity_id}")
    def edit(
        self,
        entity_id: Id,
        version: int,
        *,
        title: str | None = None,
        content: Values | None = None,
        metadata: Values | None = None,
    ) -> Call[Entity]:
        """A direct edit; `version` is the one that was read, `content` replaces the whole content."""
        optional = {"title": title, "content": content, "metadata": metadata}
        return Call(Entity, (entity_id,), body={"version": version} | given(optional))

    @operation("DELETE", "/api/entities/{entity_id}")
    def remove(self, entity_id: Id) -> Call[None]:
        return Call(None, (entity_id,))

    @operation("POST", "/api/entities/delete")
    def remove_many(self, ids: Sequence[Id]) -> Call[int]:
        """Up to 200, all or none; how many there were. Those that are gone already do not count."""
        return Call(_Removed, body={"ids": [*ids]}, read=lambda answer: answer.removed)

    @operation("POST", "/api/entities/{entity_id}/relations", safe=True)
    def connect(
        self, entity_id: Id, field_key: str, target_id: Id, *, id: Id | None = None
    ) -> Call[Relation]:
        """Connecting again answers with what is there."""
        body = {"field_key": field_key, "target_id": target_id, "id": id or new_id()}
        return Call(Relation, (entity_id,), body=body)

    @listing("/api/entities/{entity_id}/relations")
    def relations(
        self, entity_id: Id, *, field_key: str | None = None, direction: str | None = None
    ) -> Call[Page[Relation]]:
        """Where a record leads; with `direction="in"`, what leads to it."""
        return Call(Page[Relation], (entity_id,), query={"field_key": field_key, "direction": direction})

    @operation("DELETE", "/api/entities/{entity_id}/relations/{relation_id}")
    def disconnect(self, entity_id: Id, relation_id: Id) -> Call[None]:
        return Call(None, (entity_id, relation_id))

    @listing("/api/entities/{entity_id}/fields")
    def provenance(self, entity_id: Id) -> Call[Page[FieldChange]]:
        """For each field the entry that its present value comes from."""
        return Call(Page[FieldChange], (entity_id,))

    @listing("/api/entities/{entity_id}/fields/{field}/history")
    def history(self, entity_id: Id, field: str) -> Call[Page[FieldChange]]:
        """Every change of a field, newest first."""
        return Call(Page[FieldChange], (entity_id, field))


class CriteriaSetMethods(Resource[Kind]):
    @operation("POST", "/api/criteria-sets", safe=True)
    def create(
        self,
        slug: str,
        name: str,
        kind: str,
        dimensions: Sequence[Dimension | Mapping[str, Any]],
        *,
        description: str | None = None,
        entity_type_slugs: Sequence[str] | None = None,
        temporal_key: str | None = None,
        display_type: str | None = None,
        display_config: Values | None = None,
        scope: Values | None = None,
        id: Id | None = None,
    ) -> Call[CriteriaSet]:
        body = {"slug": slug, "name": name, "kind": kind, "dimensions": dimensions, "id": id or new_id()}
        optional = {
            "description": description,
            "entity_type_slugs": entity_type_slugs,
            "temporal_key": temporal_key,
            "display_type": display_type,
            "display_config": display_config,
            "scope": scope,
        }
        return Call(CriteriaSet, body=body | given(optional))

    @listing("/api/criteria-sets")
    def list(
        self, *, entity_type: str | None = None, slug: str | None = None, archived: bool = False
    ) -> Call[Page[CriteriaSet]]:
        """`archived` adds those that are not offered any more."""
        return Call(
            Page[CriteriaSet], query={"entity_type": entity_type, "slug": slug, "archived": archived or None}
        )

    @operation("GET", "/api/criteria-sets/{set_id}")
    def show(self, set_id: Id) -> Call[CriteriaSet]:
        return Call(CriteriaSet, (set_id,))

    @operation("PATCH", "/api/criteria-sets/{set_id}")
    def change(
        self,
        set_id: Id,
        version: int | Unset = UNSET,
        *,
        name: str | Unset = UNSET,
        kind: str | Unset = UNSET,
        dimensions: Sequence[Dimension | Mapping[str, Any]] | Unset = UNSET,
        description: str | Unset | None = UNSET,
        entity_type_slugs: Sequence[str] | Unset | None = UNSET,
        temporal_key: str | Unset | None = UNSET,
        display_type: str | Unset | None = UNSET,
        display_config: Values | Unset | None = UNSET,
        scope: Values | Unset | None = UNSET,
        archived: bool | Unset = UNSET,
    ) -> Call[CriteriaSet]:
        """`version` is the one that was read; what is left out stays as it is; None clears."""
        wanted = {
            "version": version,
            "name": name,
            "kind": kind,
            "dimensions": dimensions,
            "description": description,
            "entity_type_slugs": entity_type_slugs,
            "temporal_key": temporal_key,
            "display_type": display_type,
            "display_config": display_config,
            "scope": scope,
            "archived": archived,
        }
        return Call(CriteriaSet, (set_id,), body={k: v for k, v in wanted.items() if v is not UNSET})

    @operation("DELETE", "/api/criteria-sets/{set_id}")
    def remove(self, set_id: Id) -> Call[CriteriaSet | None]:
        """One with responses is archived instead, and returned."""
        return Call(CriteriaSet | None, (set_id,))

    @operation("GET", "/api/criteria-sets/{set_id}/agreement")
    def agreement(self, set_id: Id) -> "Call[_Agreements]":
        """How far raters agree, per dimension."""
        return Call(_AgreementList, (set_id,), read=lambda answer: answer.data)


class PromotionMethods(Resource[Kind]):
    @operation("POST", "/api/entities/{entity_id}/responses/{response_id}/promote")
    def promote(
        self,
        entity_id: Id,
        response_id: Id,
        fields: Sequence[str],
        *,
        expected_version: int | None = None,
    ) -> Call[Response]:
        """All of `fields` (dimension keys) or none."""
        body = {"fields": fields} | given({"expected_version": expected_version})
        return Call(Response, (entity_id, response_id), body=body)

    @operation("POST", "/api/entities/{entity_id}/responses/{response_id}/promote/preview", safe=True)
    def preview(self, entity_id: Id, response_id: Id, fields: Sequence[str]) -> Call[PromotionPreview]:
        """What a promotion would change; nothing is changed."""
        return Call(PromotionPreview, (entity_id, response_id), body={"fields": fields})

    @operation("POST", "/api/entities/{entity_id}/fields/{field}/undo")
    def undo(self, entity_id: Id, field: str, *, expected_version: int | None = None) -> Call[Entity]:
        """Take back the promotion that the field's value comes from."""
        return Call(Entity, (entity_id, field), body=given({"expected_version": expected_version}))

    @operation("POST", "/api/entities/{entity_id}/responses/{response_id}/undo")
    def undo_response(
        self,
        entity_id: Id,
        response_id: Id,
        fields: Sequence[str] | None = None,
        *,
        expected_version: int | None = None,
    ) -> Call[Response]:
        """Take back what was promoted of a response: all of `fields` (dimension keys) or none; without them, whatever
        the record has of it."""
        body = given({"fields": fields, "expected_version": expected_version})
        return Call(Response, (entity_id, response_id), body=body)


class ViewMethods(Resource[Kind]):
    @operation("POST", "/api/views", safe=True)
    def create(
        self,
        slug: str,
        name: str,
        blocks: Sequence[Values],
        *,
        entity_type: str | None = None,
        id: Id | None = None,
    ) -> Call[View]:
        body = {"slug": slug, "name": name, "blocks": blocks, "id": id or new_id()}
        return Call(View, body=body | given({"entity_type": entity_type}))

    @listing("/api/views")
    def list(self, *, entity_type: str | None = None) -> Call[Page[View]]:
        return Call(Page[View], query={"entity_type": entity_type})

    @operation("GET", "/api/views/{view_id}")
    def show(self, view_id: Id) -> Call[View]:
        return Call(View, (view_id,))

    @operation("PATCH", "/api/views/{view_id}")
    def change(
        self,
        view_id: Id,
        version: int | None = None,
        *,
        name: str | None = None,
        blocks: Sequence[Values] | None = None,
    ) -> Call[View]:
        """`version` is the one that was read."""
        return Call(View, (view_id,), body=given({"version": version, "name": name, "blocks": blocks}))

    @operation("DELETE", "/api/views/{view_id}")
    def remove(self, view_id: Id) -> Call[None]:
        return Call(None, (view_id,))


class _AgreementList(msgspec.Struct, frozen=True):
    data: list[Agreement]
    responses_omitted: int = 0


class _Removed(msgspec.Struct, frozen=True):
    removed: int


_Agreements = list[Agreement]  # `list` is the name of a method above
