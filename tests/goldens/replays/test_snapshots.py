"""What a replay is told is what its golden was told."""

from uuid import UUID

from goldloop.goldens.replays.snapshots import prompt_of
from goldloop.knowledge.model import KnowledgeType
from goldloop.knowledge.printing import PrintedRow, manifest_of, memories_in, without_memories

LESSON = PrintedRow(UUID(int=1), KnowledgeType.LESSON, "Always say please", None)


def test_memories_stand_where_they_stood() -> None:
    manifest = manifest_of([LESSON], [(UUID(int=2), "Likes tea")])
    public = without_memories(manifest.body)
    snapshot = {"knowledge": {"manifest": manifest.hash, "text": public}}
    prompt = prompt_of(snapshot, {"text": manifest.body, "memories": memories_in(manifest.body)})
    assert (prompt.text, prompt.public, prompt.manifest) == (manifest.body, public, manifest.hash)
    assert "tea" not in prompt.recorded(prompt.text)


def test_without_memories_all_is_public() -> None:
    manifest = manifest_of([LESSON])
    prompt = prompt_of({"knowledge": {"manifest": manifest.hash, "text": manifest.body}}, {})
    assert (prompt.text, prompt.public, prompt.private) == (manifest.body, manifest.body, "")


def test_nothing_was_known() -> None:
    assert prompt_of({"knowledge": None}, {}).text == ""
