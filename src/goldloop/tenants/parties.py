"""How the one who did something is called: the single source of that piece of SQL. Pure.

A piece of the statement and not a function, which PostgreSQL would run as a query of its own for every row.
"""

_TENANT = "nullif(current_setting('app.tenant', true), '')::uuid"


def name_sql(kind: str, party_id: str) -> str:
    """An expression for the name of a user, an agent or the system; null for who is gone."""
    return f"""CASE {kind}
        WHEN 'user' THEN (SELECT pu.name FROM users pu WHERE pu.id = {party_id})
        WHEN 'agent' THEN (SELECT pa.name FROM agents pa WHERE pa.tenant_id = {_TENANT} AND pa.id = {party_id})
        ELSE 'system' END"""
