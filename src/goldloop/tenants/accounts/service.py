"""Use cases of one's own account. What a stolen session must not do needs the password, or a code, once more."""

from typing import Any

from goldloop.kit.db import Database
from goldloop.kit.errors import Unauthenticated
from goldloop.kit.events import NOTHING
from goldloop.kit.ids import secret_hash
from goldloop.kit.sealing import Sealer
from goldloop.tenants.auth.model import SignedIn
from goldloop.tenants.members import events as member_events
from goldloop.tenants.second_factors import service as second_factors
from goldloop.tenants.second_factors.service import Enrolment
from goldloop.tenants.sign_in import attempt_service as attempts
from goldloop.tenants.sign_in import service as sign_in
from goldloop.tenants.sign_in import store as sign_in_store


async def show(db: Database, session: str) -> Any:
    async with db.anonymous() as connection:
        found = await sign_in_store.show_account(connection, secret_hash(session))
    if found is None:
        raise Unauthenticated
    return found


async def begin_second_factor(
    db: Database, sealer: Sealer, session: str, person: SignedIn, password: str, client: str
) -> Enrolment:
    await sign_in.prove_password(db, person, password, client)
    async with db.anonymous() as connection:
        return await second_factors.begin(connection, sealer, secret_hash(session), person.email)


async def confirm_second_factor(
    db: Database, sealer: Sealer, session: str, person: SignedIn, code: str, client: str
) -> list[str]:
    await _count_code(db, person, code, client)
    async with db.anonymous() as connection:
        codes = await second_factors.confirm(connection, sealer, person.account_id, code)
        opened = await sign_in_store.session_memberships(connection, secret_hash(session))
        await sign_in.emit_in_each(connection, opened, member_events.FACTOR_ADDED, NOTHING)
    await _take_code_back(db, person)
    return codes


async def renew_recovery_codes(
    db: Database, sealer: Sealer, person: SignedIn, code: str, client: str
) -> list[str]:
    await _count_code(db, person, code, client)
    async with db.anonymous() as connection:
        await second_factors.check_own(connection, sealer, person.account_id, code)
        codes = await second_factors.renew_recovery_codes(connection, person.account_id)
    await _take_code_back(db, person)
    return codes


async def remove_second_factor(
    db: Database, sealer: Sealer, session: str, person: SignedIn, password: str, code: str, client: str
) -> None:
    await sign_in.prove_password(db, person, password, client)
    await _count_code(db, person, code, client)
    async with db.anonymous() as connection:
        await second_factors.check_own(connection, sealer, person.account_id, code)
        await second_factors.remove(connection, person.account_id)
        opened = await sign_in_store.session_memberships(connection, secret_hash(session))
        await sign_in.emit_in_each(connection, opened, member_events.FACTOR_REMOVED, NOTHING)
    await _take_code_back(db, person)


async def _count_code(db: Database, person: SignedIn, code: str, client: str) -> None:
    """A code of a second factor is about to be tried by who is signed in."""
    async with db.anonymous() as connection:
        await attempts.count_of_client(connection, person.email, client)
    await attempts.count_code(db, person.account_id, code)


async def _take_code_back(db: Database, person: SignedIn) -> None:
    """It was right."""
    async with db.anonymous() as connection:
        await attempts.take_code_back(connection, person.account_id)
