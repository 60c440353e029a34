"""What a matrix may hold, and its score: tables of cases."""

from typing import Any
from uuid import UUID

import msgspec
import pytest

from goldloop.criteria.model import Dimension
from goldloop.responses.matrix import (
    check_matrix,
    check_matrix_meta,
    clean_matrix,
    compute_matrix_score,
    named_connections,
)
from goldloop.responses.scoring import NO_SCORE, Score
from tests import tables
from tests.clinic import NOTE, RATING

TABLE = tables.load("response_matrix")  # shared with the form
A, B, OTHER = (f"00000000-0000-4000-8000-00000000000{place}" for place in "abc")
FIELDS = {UUID(A): "protocols", UUID(B): "protocols", UUID(OTHER): "planned"}


def dimensions(*given: dict[str, Any]) -> list[Dimension]:
    return msgspec.convert(given or (RATING, NOTE), list[Dimension])


@pytest.mark.parametrize(
    ("matrix", "faults"),
    [
        ({}, []),
        ({A: {"rating": 5}}, []),
        ({A: {"rating": 5, "note": "fine"}, B: {"note": "odd"}}, []),
        ({A: {}}, []),
        ({A: {"rating": None, "note": " "}}, []),
        ({"nobody": {"rating": 5}}, [("/values/nobody", "unknown_connection")]),
        ({"a/b": {}}, [("/values/a~1b", "unknown_connection")]),
        ({A[:-1] + "9": {"rating": 5}}, [(f"/values/{A[:-1]}9", "unknown_connection")]),
        ({OTHER: {"rating": 5}}, [(f"/values/{OTHER}", "other_field")]),
        (
            {A: {"rating": 1}, A.upper(): {"rating": 5}},
            [(f"/values/{A.upper()}", "duplicate_connection")],
        ),
        ({A: 5}, [(f"/values/{A}", "wrong_type")]),
        ({A: [5]}, [(f"/values/{A}", "wrong_type")]),
        ({A: {"rating": "5"}}, [(f"/values/{A}/rating", "wrong_type")]),
        ({A: {"rating": 6}}, [(f"/values/{A}/rating", "out_of_scale")]),
        ({A: {"mood": 5}}, [(f"/values/{A}/mood", "unknown_dimension")]),
        (
            {A: {"rating": 9}, "nobody": {}, B: {"note": 3}},
            [
                (f"/values/{A}/rating", "out_of_scale"),
                ("/values/nobody", "unknown_connection"),
                (f"/values/{B}/note", "wrong_type"),
            ],
        ),
    ],
)
def test_every_fault_of_a_matrix_is_named(matrix: dict[str, Any], faults: list[tuple[str, str]]) -> None:
    found = check_matrix(matrix, dimensions(), FIELDS, "protocols")
    assert [(fault.path, fault.code) for fault in found] == faults


@pytest.mark.parametrize("row", TABLE["cases"], ids=tables.ids)
def test_what_is_required_is_needed_where_anything_is_said(row: dict[str, Any]) -> None:
    connected = {UUID(key): "protocols" for key in TABLE["connections"]}
    found = check_matrix(row["values"], dimensions(*TABLE["dimensions"]), connected, "protocols")
    assert [(fault.path, fault.code) for fault in found] == [tuple(fault) for fault in row["faults"]]


def test_metadata_has_the_shape_of_the_matrix() -> None:
    matrix = {A: {"rating": 5}}
    assert check_matrix_meta({A: {"rating": {"confidence": "high"}}}, matrix, dimensions()) == []
    for meta, place in (
        ({B: {}}, (f"/field_meta/{B}", "unknown_connection")),
        ({A: 1}, (f"/field_meta/{A}", "wrong_type")),
        ({A: {"mood": {}}}, (f"/field_meta/{A}/mood", "unknown_dimension")),
        (
            {A: {"rating": {"confidence": "sure"}}},
            (f"/field_meta/{A}/rating/confidence", "unknown_confidence"),
        ),
    ):
        assert [(f.path, f.code) for f in check_matrix_meta(meta, matrix, dimensions())] == [place]


def test_what_says_nothing_is_not_kept_and_an_id_has_one_spelling() -> None:
    assert clean_matrix({A: {"rating": None}, B.upper(): {"rating": 2, "note": ""}}) == {B: {"rating": 2}}


def test_only_ids_are_looked_for() -> None:
    assert named_connections({A: {}, "nobody": {}, A.replace("-", ""): {}}) == [UUID(A)]


@pytest.mark.parametrize(
    ("matrix", "score"),
    [
        ({}, NO_SCORE),
        ({A: {"note": "no rating"}}, NO_SCORE),
        ({A: {"rating": 5}, B: {"rating": 3}}, Score(weighted=4, normalized=0.75)),
        ({A: {"rating": 5}, B: {"note": "not rated"}}, Score(weighted=5, normalized=1)),
        ({A: {"rating": 1}}, Score(weighted=1, normalized=0)),
    ],
)
def test_the_score_is_the_mean_over_the_connections_that_have_one(
    matrix: dict[str, Any], score: Score
) -> None:
    assert compute_matrix_score(matrix, dimensions()) == score
