import { Anchor, Text, Textarea, Title } from "@mantine/core";
import { FileTextIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { SharedContextPrompt } from "@/api/types";
import { TypeSelect } from "@/features/entity_types/components/TypeSelect";
import { plural } from "@/features/feedback/lib/words";
import { useAgents } from "@/features/tenants/hooks/useAgents";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { CopyBox } from "@/ui/CopyBox";
import { ListSelect } from "@/ui/ListSelect";
import { Loaded } from "@/ui/Loaded";
import { EmptyState } from "@/ui/states";
import { useTyped } from "@/ui/useTyped";
import { usePrompt } from "../hooks/usePrompt";
import type { PromptSearch } from "../lib/search";
import { TypeBadge } from "./KnowledgeBadges";
import { LeftOutList } from "./LeftOutList";
import classes from "./knowledge.module.css";

interface PromptViewProps {
  search: PromptSearch;
  onChange: (change: Partial<PromptSearch>) => void;
}

/** The block that prompts of an agent about a type of record carry, each row with why it is in it, and what is not. */
export function PromptView({ search, onChange }: PromptViewProps) {
  const query = usePrompt(search);
  return (
    <div data-wide>
      <Text size="sm" c="dimmed" mb="sm">
        Every run carries this between its instructions and what it is asked. It is the same, byte for byte, until something in scope changes.
      </Text>
      <div className={classes.whose} role="search" aria-label="Whose prompt">
        <ListSelect
          list={useAgents()}
          option={({ slug, name }) => ({ value: slug, label: name })}
          label="Agent"
          none="No agent in particular"
          value={search.agent ?? ""}
          onChange={(agent) => onChange({ agent: agent || undefined })}
        />
        <TypeSelect label="About a record of type" none="No type in particular" value={search.of ?? ""} onChange={(of) => onChange({ of: of || undefined })} />
        <TaskInput value={search.task ?? ""} onChange={(task) => onChange({ task: task || undefined })} />
      </div>
      <div aria-busy={query.isPlaceholderData || undefined}>
        <Loaded query={query} what="the prompt">
          {(prompt) => <Shown prompt={prompt} />}
        </Loaded>
      </div>
    </div>
  );
}

const PAUSE_MS = 400; // after the last key, before the server is asked

/** Writes to the address once typing pauses. */
function TaskInput({ value, onChange }: { value: string; onChange: (task: string) => void }) {
  const { typed, type } = useTyped(value, onChange, PAUSE_MS);
  return (
    <Textarea
      className={classes.task}
      label="Task"
      description="What is to be done, in words: up to three more rows about it come after what stays. Optional."
      autosize
      maxRows={4}
      maxLength={4000}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

function Shown({ prompt }: { prompt: SharedContextPrompt }) {
  const mayManage = useCan()("knowledge.team.manage");
  if (prompt.manifest === null) {
    return (
      <>
        <EmptyState icon={<FileTextIcon width={20} height={20} />} title="Nothing is in this prompt">
          Nothing that is active holds here. What is approved for this agent, this type of record or everywhere will be.
        </EmptyState>
        <LeftOutList leftOut={prompt.left_out} />
      </>
    );
  }
  return (
    <div className={classes.prompt}>
      <div>
        <CopyBox label="Prompt" value={prompt.prompt} />
        <Text size="xs" c="dimmed" mt={8} className={classes.manifest}>
          {plural(prompt.rows.length, "row")} · {plural(prompt.tokens, "token")} · manifest <code>{prompt.manifest}</code>
        </Text>
      </div>
      <div>
        <Title order={3}>Why it is in it</Title>
        <ul className={classes.reasons}>
          {prompt.rows.map((row) => (
            <li key={row.id}>
              <Text size="sm" className={classes.words} dir="auto">
                {mayManage ? (
                  <Anchor size="sm" c="inherit" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/knowledge" search={{ row: row.id }} {...props} />}>
                    {row.content}
                  </Anchor>
                ) : (
                  row.content
                )}
              </Text>
              <span className={classes.marks}>
                <TypeBadge type={row.type} />
                <Text span size="xs" c="dimmed">
                  {row.reason} · {plural(row.tokens, "token")}
                </Text>
              </span>
            </li>
          ))}
        </ul>
        <LeftOutList leftOut={prompt.left_out} />
      </div>
    </div>
  );
}
