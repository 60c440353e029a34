"""What of the catalogue is in an archive, and in which order."""

import pytest

from goldloop.archives.model import Column, Reference, Table
from goldloop.archives.selection import HOLDS_SECRET, columns_of, in_order, schema_of, select


def column(name: str, *, nullable: bool = False, generated: bool = False) -> Column:
    return Column(
        name=name, type="text", nullable=nullable, has_default=False, generated=generated, identity=False
    )


def table(name: str, *to: str, columns: list[Column] | None = None, deferrable: bool = False) -> Table:
    references = [Reference(to=each, deferrable=deferrable) for each in to]
    return Table(name=name, columns=columns or [column("tenant_id"), column("id")], references=references)


def names(tables: list[Table]) -> list[str]:
    return [each.name for each in tables]


@pytest.mark.parametrize(
    ("tables", "order"),
    [
        ([], []),
        ([table("a")], ["a"]),
        ([table("b"), table("a")], ["a", "b"]),
        ([table("a", "b"), table("b")], ["b", "a"]),
        ([table("a", "tenants")], ["a"]),
        ([table("a", "c"), table("b", "a"), table("c")], ["c", "a", "b"]),
        ([table("a", "a", deferrable=True)], ["a"]),
        ([table("a", "b", deferrable=True), table("b", "a")], ["a", "b"]),
    ],
)
def test_a_table_comes_after_those_that_it_refers_to(tables: list[Table], order: list[str]) -> None:
    assert names(in_order(tables)) == order


@pytest.mark.parametrize("tables", [[table("a", "a")], [table("a", "b"), table("b", "a")]])
def test_tables_in_a_circle_say_what_to_do(tables: list[Table]) -> None:
    with pytest.raises(ValueError, match="DEFERRABLE"):
        in_order(tables)


def test_a_table_that_nobody_named_is_in_the_archive() -> None:
    tables, left_out = select([table("a_new_one")], personal=False)
    assert (names(tables), left_out) == (["a_new_one"], {})


def test_a_secret_stays_behind() -> None:
    found = [column("tenant_id"), column("url"), column("signing_secret", nullable=True)]
    hooks = table("hooks", columns=found)
    assert [each.name for each in columns_of(hooks)] == ["url"]
    assert names(select([hooks], personal=True)[0]) == ["hooks"]


def test_a_table_that_is_nothing_without_its_secret_stays_behind_and_so_does_what_refers_to_it() -> None:
    hooks = table("hooks", columns=[column("tenant_id"), column("sealed")])
    tables, left_out = select(
        [hooks, table("deliveries", "hooks"), table("tries", "deliveries")], personal=True
    )
    assert tables == []
    assert left_out["hooks"] == HOLDS_SECRET
    assert "hooks" in left_out["deliveries"]
    assert "deliveries" in left_out["tries"]


@pytest.mark.parametrize(("personal", "there"), [(True, ["user_memories"]), (False, [])])
def test_what_a_person_alone_sees_is_only_in_the_operators_archive(personal: bool, there: list[str]) -> None:
    assert names(select([table("user_memories")], personal=personal)[0]) == there


def test_what_postgresql_computes_is_computed_again() -> None:
    found = [column("tenant_id"), column("id"), column("score", generated=True)]
    assert [each.name for each in columns_of(table("a", columns=found))] == ["id"]


def test_a_schema_is_another_with_a_column_or_a_migration_more() -> None:
    wide = table("a", columns=[column("tenant_id"), column("id"), column("more")])
    schemas = [schema_of([table("a")], 3), schema_of([wide], 3), schema_of([table("a")], 4)]
    assert len({(each.version, each.sha256) for each in schemas}) == 3
    assert schema_of([table("a"), table("b")], 3) == schema_of([table("b"), table("a")], 3)
