"""A table as records: cells, heads and rows."""

from typing import Any

import pytest

from goldloop.entities.imports.table import BadTable, read_cell, read_table
from goldloop.kit.csv_table import as_cell

SCHEMA = {
    "properties": {
        "name": {"type": "string"},
        "employees": {"type": "integer"},
        "ratio": {"type": ["number", "null"]},
        "public": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "more": {"type": "object"},
    }
}


@pytest.mark.parametrize(
    ("text", "types", "value"),
    [
        ("a", [], "a"),
        (" a ", ["string"], " a "),
        ("7", ["string"], "7"),
        ("7", ["integer"], 7),
        ("7.0", ["integer"], 7),
        (" 7.5 ", ["number"], 7.5),
        ("1e3", ["number"], 1000.0),
        ("TRUE", ["boolean"], True),
        ("no", ["boolean"], False),
        ("a, b", ["array"], ["a", "b"]),
        ('["a", 1]', ["array"], ["a", 1]),
        ('{"a": 1}', ["object"], {"a": 1}),
        ("x", ["array", "integer"], ["x"]),
    ],
)
def test_a_cell_is_a_value_of_its_field(text: str, types: list[str], value: Any) -> None:
    assert read_cell(text, frozenset(types)) == value


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (["a", "b"], "a, b"),
        (["one"], "one"),
        (["first, then", "b"], '["first, then","b"]'),
        (["first, then"], '["first, then"]'),
        (["a", ""], '["a",""]'),
        ([" a"], '[" a"]'),
        (["[a", "b"], '["[a","b"]'),
        (["{a"], '["{a"]'),
    ],
)
def test_a_list_of_texts_is_written_so_that_it_is_read_again(value: list[str], cell: str) -> None:
    assert as_cell(value) == cell
    assert read_cell(cell, frozenset(["array"])) == value


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("x", ["integer"]),
        ("7.5", ["integer"]),
        ("nan", ["number"]),
        ("inf", ["number"]),
        ("perhaps", ["boolean"]),
        ("x", ["object"]),
        ("{x", ["object"]),
        ("[x", ["array"]),
    ],
)
def test_a_cell_that_is_none_says_so(text: str, types: list[str]) -> None:
    with pytest.raises(ValueError, match="This"):
        read_cell(text, frozenset(types))


def rows(text: str) -> list[tuple[int, str, dict[str, Any]]]:
    found = read_table(text, "company", SCHEMA)
    assert found.faults == []
    return [(row.place, row.title, row.content) for row in found.rows]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("title\n", []),
        ("title,name\nA,Acme\n", [(2, "A", {"name": "Acme"})]),
        ("\ufefftitle;name\r\nA;Acme\r\n", [(2, "A", {"name": "Acme"})]),
        ("title\tname\nA\tAcme\n", [(2, "A", {"name": "Acme"})]),
        ('title,name\nA,"x, ""y""\nz"\nB,\n', [(2, "A", {"name": 'x, "y"\nz'}), (3, "B", {})]),
        ("title,name\n\n,\nA,B", [(4, "A", {"name": "B"})]),
        ("title,name\nA,'=1+1\n", [(2, "A", {"name": "=1+1"})]),
        ("title,name\nA,'plain\n", [(2, "A", {"name": "'plain"})]),
        ("id,type,title,score,created_at,updated_at,name\n,company,A,50,x,y,B\n", [(2, "A", {"name": "B"})]),
    ],
)
def test_rows_of_a_table(text: str, read: list[Any]) -> None:
    assert rows(text) == read


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("name\nAcme\n", [(1, "title", "missing_column"), (2, "title", "bad_title")]),
        ("title,nmae\nA,B\n", [(1, "nmae", "unknown_column")]),
        ("title,title\nA,B\n", [(1, "title", "column_twice")]),
        ("title,employees\nA,many\n,3\n", [(2, "employees", "not_of_type"), (3, "title", "bad_title")]),
        ("title,name\nA,B,C\n", [(2, None, "too_many_cells")]),
        ("title,type\nA,person\n", [(2, "type", "other_type")]),
        ("title,id\nA,7\n", [(2, "id", "bad_id")]),
    ],
)
def test_what_is_wrong_is_told_with_its_row_and_column(text: str, faults: list[Any]) -> None:
    found = read_table(text, "company", SCHEMA).faults
    assert [(fault.row, fault.column, fault.code) for fault in found] == faults


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n", 'title\n"A\n', "title\n" + "A\n" * 5001])
def test_a_file_that_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(BadTable):
        read_table(text, "company", SCHEMA)
