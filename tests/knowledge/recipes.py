"""What docs/knowledge.md tells whoever runs agents elsewhere, and what came of it where their packages are installed."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
_PAGE = (_ROOT / "docs" / "knowledge.md").read_text()
CAPTURES = _ROOT / "tests" / "data" / "recipes"
RECIPES: dict[str, str] = dict(
    re.findall(r"^With ([^\n]+):\n\n```python\n(.*?)^```$", _PAGE, re.DOTALL | re.MULTILINE)
)
# How an agent that a recipe makes is asked.
ASKED = {
    "LangChain": 'agent.invoke({"messages": [{"role": "user", "content": "Hello"}]})',
    "OpenAI Agents": 'from agents import Runner\n\nRunner.run_sync(agent, "Hello")',
}


def fingerprint(recipe: str) -> str:
    """A capture of other lines than these is out of date."""
    return hashlib.sha256(f"{RECIPES[recipe]}\0{ASKED[recipe]}".encode()).hexdigest()


def file_of(recipe: str) -> Path:
    return CAPTURES / f"{recipe.lower().replace(' ', '-')}.json"


def instructions_of(request: dict[str, Any]) -> str:
    """What a model was told, in the words of either of OpenAI's interfaces."""
    if "instructions" in request:
        return str(request["instructions"])
    told = [
        each["content"] for each in request.get("messages", []) if each["role"] in ("system", "developer")
    ]
    return "\n\n".join(text if isinstance(text, str) else json.dumps(text) for text in told)
