"""What commands begin with: settings, a database that is there, the actor that a command is, and arguments that are checked.
Loads no more than that, so that a command is as quick as what it does."""

import argparse
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from goldloop.databases import database_urls, is_empty, migrate, opened
from goldloop.kit.db import Actor, Database, Tx, connect
from goldloop.kit.embedded_postgres import HolderKind
from goldloop.kit.errors import InvalidInput, NotFound
from goldloop.kit.logs import set_up_logs
from goldloop.kit.settings import Settings, load_settings
from goldloop.kit.text import is_name
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import store as workspace_store


def settings_of(arguments: argparse.Namespace) -> Settings:
    return load_settings(
        {
            "GOLDLOOP_DATA_DIR": arguments.data_dir,
            "GOLDLOOP_HOST": getattr(arguments, "host", None),
            "GOLDLOOP_PORT": getattr(arguments, "port", None),
            "GOLDLOOP_WORKER_PORT": getattr(arguments, "worker_port", None),
            "GOLDLOOP_PROCESSES": getattr(arguments, "processes", None),
        }
    )


@asynccontextmanager
async def opened_database(arguments: argparse.Namespace) -> AsyncIterator[Database]:
    settings = settings_of(arguments)
    set_up_logs(settings.log_format, level=30)
    async with database_urls(settings, HolderKind.COMMAND) as urls:
        if not settings.database_url or await is_empty(urls):
            await migrate(
                urls, patience=0
            )  # a database of others' is changed only by those who were asked to
        async with opened(settings, urls) as db:
            yield db


@asynccontextmanager
async def opened_tenant(arguments: argparse.Namespace) -> AsyncIterator[Tx]:
    async with opened_database(arguments) as db, tenant_of(db, arguments.tenant) as tx:
        yield tx


@asynccontextmanager
async def tenant_of(db: Database, slug: str) -> AsyncIterator[Tx]:
    async with db.tx(await tenant_actor(db, slug)) as tx:
        yield tx


async def tenant_actor(db: Database, slug: str) -> Actor:
    tenant_id = await workspace_store.find_id(db, slug)
    if tenant_id is None:
        raise NotFound(f"there is no workspace {slug}")
    return system_actor(tenant_id, "command line")


def checked_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise InvalidInput(f"{text} is not an id") from error


def checked_slug(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}", text):
        raise InvalidInput(f"{text!r} is not a slug: up to 63 of a-z, 0-9 and -, not beginning with -")
    return text


def checked_name(text: str) -> str:
    if not is_name(text) or len(text) > 200:
        raise InvalidInput("a name is one line of 1 to 200 characters")
    return text


@asynccontextmanager
async def opened_connection(arguments: argparse.Namespace) -> AsyncIterator[Any]:
    settings = settings_of(arguments)
    set_up_logs(settings.log_format, level=30)
    async with database_urls(settings, HolderKind.COMMAND) as urls:
        connection = await connect(urls.direct)
        try:
            yield connection
        finally:
            await connection.close()
