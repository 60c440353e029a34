"""Which servers go with which schema, and what a migration takes away."""

import pytest

from goldloop.migrations.compatibility import Schema, contracts_of, is_newer, needs_of, why_refused


def schema(
    *, unknown: tuple[int, ...] = (), needs: int = 0, release: str | None = None, previous: str | None = None
) -> Schema:
    return Schema(newest_known=10, unknown=unknown, needs=needs, release=release, previous=previous)


@pytest.mark.parametrize(
    ("found", "newer", "refused"),
    [
        (schema(), False, False),  # from before releases were kept
        (schema(release="0.2.0"), False, False),
        (schema(release="0.1.0"), False, False),
        (schema(release="0.2.0", unknown=(11,)), True, False),  # on its way to the next
        (schema(release="0.3.0", previous="0.2.0"), True, False),
        (schema(release="0.10.0", previous="0.2.0", unknown=(11, 12)), True, False),
        (schema(release="0.3.0", previous="0.1.0"), True, False),  # it skipped this one
        (schema(release="0.4.0", previous="0.3.0"), True, True),  # two on
        (schema(release="0.3.0"), True, True),  # never had the functions of another
        (schema(release="0.3.0", previous="0.2.0", unknown=(11,), needs=10), True, False),
        (schema(release="0.3.0", previous="0.2.0", unknown=(11,), needs=11), True, True),
    ],
)
def test_a_server_works_on_its_schema_and_on_that_of_the_next_release(
    found: Schema, newer: bool, refused: bool
) -> None:
    assert is_newer(found, "0.2.0") is newer
    assert (why_refused(found, "0.2.0") is not None) is refused


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE t (id uuid NOT NULL)",
        "ALTER TABLE t ADD COLUMN c text",
        "ALTER TABLE t ADD COLUMN c text NOT NULL DEFAULT ''",
        "ALTER TABLE t ADD COLUMN c text NOT NULL GENERATED ALWAYS AS (a || b) STORED",
        "ALTER TABLE t ADD COLUMN c text, ADD COLUMN d integer NOT NULL DEFAULT 1",
        "CREATE INDEX i ON t (c)",
        "DROP INDEX i",
        "DROP FUNCTION pg_temp.helper(text)",
        "REVOKE ALL ON FUNCTION f(uuid) FROM PUBLIC",
        "-- DROP TABLE t\nSELECT 1",
        "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$BEGIN DROP TABLE t; END$$",
    ],
)
def test_what_only_adds_takes_nothing_away(statement: str) -> None:
    assert contracts_of(statement) == []


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("DROP TABLE t", "a table goes"),
        ("ALTER TABLE t DROP COLUMN c", "a column goes"),
        ("ALTER TABLE t RENAME COLUMN c TO d", "something is called otherwise"),
        ("ALTER TABLE t RENAME TO u", "something is called otherwise"),
        ("alter table t alter column c set not null", "a column must have a value"),
        ("ALTER TABLE t ALTER COLUMN c TYPE bigint", "a column is of another type"),
        ("ALTER TABLE t ALTER c DROP DEFAULT", "a column has no default any more"),
        ("ALTER TABLE t ADD COLUMN c text NOT NULL", "a new column must have a value and has no default"),
        (
            "ALTER TABLE t ADD COLUMN c text NOT NULL, ADD COLUMN d text DEFAULT ''",
            "a new column must have a value and has no default",
        ),
        ("DROP FUNCTION f(uuid)", "a function goes"),
        ("DROP VIEW v", "a type, view or schema goes"),
        ("REVOKE SELECT ON t FROM goldloop_app", "a right is taken"),
    ],
)
def test_what_takes_something_away_is_named(statement: str, what: str) -> None:
    assert [found.partition(":")[0] for found in contracts_of(f"SELECT 1;\n{statement};")] == [what]


@pytest.mark.parametrize(
    ("sql", "needed"),
    [("", 0), ("-- needs 0041: the column is written no more\nSELECT 1", 41), ("SELECT '-- needs 0041'", 0)],
)
def test_a_migration_says_what_servers_need_to_know(sql: str, needed: int) -> None:
    assert needs_of(sql) == needed
