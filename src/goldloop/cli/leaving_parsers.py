"""The parsers of what leaves a workspace, and of who did what: archives, erasures, backups, the audit log."""

from typing import Any

from goldloop.cli.parsers import command_group, command_parser


def add_audit(commands: Any) -> None:
    audit = command_parser(
        commands, "audit", "audit", "show who did what, with which key and from where, newest first"
    )
    audit.add_argument("--tenant", required=True, metavar="SLUG")
    audit.add_argument("--event", action="append", metavar="NAME", help="only this event; may be given again")
    audit.add_argument("--actor", metavar="ID", help="only what this person or agent did")
    audit.add_argument("--key", metavar="ID", help="only what was done with this key")
    audit.add_argument("--subject", metavar="ID", help="only what happened to this")
    audit.add_argument(
        "--address", metavar="ADDRESS", help="only what was asked for from this network address"
    )
    audit.add_argument("--since", metavar="TIME", help="RFC 3339, with a time zone")
    audit.add_argument("--until", metavar="TIME")
    audit.add_argument("--limit", type=int, default=50, help="how many at most (default 50)")
    one = audit.add_mutually_exclusive_group()
    one.add_argument("--entry", metavar="ID", help="this entry alone, with what was before and after")
    one.add_argument(
        "--file", metavar="FILE", help="all of it into a file: a table, or lines of JSON as .jsonl"
    )


def add_archives(commands: Any) -> None:
    export = command_parser(
        commands, "export", "export", "write everything that a workspace owns into one archive, at one moment"
    )
    export.add_argument(
        "file", metavar="FILE", help="the archive to write, a zip file; one that is there is not replaced"
    )
    export.add_argument("--tenant", required=True, metavar="SLUG")


def add_erasures(commands: Any) -> None:
    erase = command_group(commands, "erase", "delete for good, with all that was made of it")
    parsers = []
    for word, text, names in (
        ("conversation", "a conversation", ("PROJECT", "CONVERSATION")),
        ("session", "a session", ("ID",)),
        ("record", "a record", ("ID",)),
        ("responses", "the responses of a record", ("ID",)),
        ("end-user", "everything of an end user", ("USER",)),
        ("workspace", "a workspace", ()),
    ):
        parser = command_parser(erase, word, "erase", f"delete {text} for good")
        parser.set_defaults(kind=word.replace("-", "_"))
        for place, name in enumerate(names):
            parser.add_argument(f"name_{place}", metavar=name)
        parser.add_argument("--dry-run", action="store_true", help="say what would go and what would stay")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parsers.append(parser)
    listing = command_parser(erase, "list", "erase list", "list what was deleted, newest first")
    show = command_parser(erase, "show", "erase show", "show how far a deletion is, what went and what stays")
    show.add_argument("id", metavar="ID")
    for parser in (*parsers, listing, show):
        parser.add_argument("--tenant", required=True, metavar="SLUG")
    command_parser(erase, "workspaces", "erase workspaces", "list workspaces that were deleted")
    export = command_parser(
        erase, "export", "erase export", "write a list of what was deleted, to keep beside backups"
    )
    again = command_parser(
        erase, "again", "erase again", "delete anew what is there again after an older backup was restored"
    )
    for parser in (export, again):
        parser.add_argument("file", metavar="FILE")
    again.add_argument("--dry-run", action="store_true", help="say how much is there again")


def add_backups(commands: Any) -> None:
    backup = command_parser(
        commands, "backup", "backup", "back up the database and the blobs, also while the server runs"
    )
    backup.add_argument("target", metavar="TARGET", help="a new folder, or a new file NAME.tar")
    restore = command_parser(
        commands, "restore", "restore", "restore a backup into an empty database and an empty blob store"
    )
    restore.add_argument("source", metavar="SOURCE", help="what `goldloop backup` wrote")
    for parser in (backup, restore):
        parser.add_argument(
            "--url",
            help="the database by a login that may bypass row-level security, where it is not the embedded one",
        )
