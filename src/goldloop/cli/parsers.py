"""What every command's parser has."""

import argparse
from typing import Any


def command_parser(commands: Any, word: str, command: str, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        word, help=text, description=text.capitalize() + "."
    )
    parser.set_defaults(command=command)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--data-dir", help="the data folder (default .goldloop)")
    return parser


def command_group(commands: Any, word: str, text: str) -> Any:
    parser = commands.add_parser(word, help=text, description=text.capitalize() + ".")
    return parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
