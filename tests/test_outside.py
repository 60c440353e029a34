"""What a process has beside the database, by its settings."""

import subprocess
import sys

from goldloop.conversations.gate.embedded import EmbeddedDetector
from goldloop.conversations.gate.llm import LlmDetector
from goldloop.outside import detector_of


def test_the_setting_picks_the_detector() -> None:
    assert isinstance(detector_of(None), EmbeddedDetector)
    assert isinstance(detector_of(""), EmbeddedDetector)
    chosen = detector_of("openai:gpt-5-mini")
    assert isinstance(chosen, LlmDetector)
    assert chosen.name == "llm:openai:gpt-5-mini"


def test_a_server_without_a_model_does_not_load_what_asks_one() -> None:
    told = "import sys, goldloop.server; print('pydantic_ai' in sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "False"
