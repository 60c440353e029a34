import { Anchor, Badge, Button, Collapse, Text, Title } from "@mantine/core";
import { ChevronDownIcon, ChevronRightIcon } from "@radix-ui/react-icons";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { AgentSession, ManifestRow, ShownManifest } from "@/api/types";
import { plural } from "@/features/feedback/lib/words";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import type { Scale } from "@/ui/chart/scale";
import { CopyBox } from "@/ui/CopyBox";
import { Loaded } from "@/ui/Loaded";
import { usePromptOf } from "../hooks/usePrompt";
import { scaleOfRows } from "../lib/value";
import { lineWords, speaksFor } from "../lib/words";
import { TypeBadge } from "./KnowledgeBadges";
import { LeftOutList } from "./LeftOutList";
import { ValueMark } from "./ValueCell";
import classes from "./knowledge.module.css";

/** What of the workspace's knowledge a session had in its prompt, and why; nothing for what names no prompt. */
export function WhyInPrompt({ session }: { session: Pick<AgentSession, "id" | "manifest"> }) {
  return session.manifest === null ? null : <Held sessionId={session.id} />;
}

function Held({ sessionId }: { sessionId: string }) {
  const query = usePromptOf(sessionId);
  const [opened, { toggle }] = useDisclosure(false);
  const heading = useId();
  const count = query.data?.manifest?.rows.length;
  return (
    <section aria-labelledby={heading} className={classes.why}>
      <div className={classes.whyHead}>
        <Title order={2} size="h3" id={heading}>
          Knowledge in its prompt
          {count !== undefined && (
            <Text span size="sm" c="dimmed" ml={8} fw={400}>
              {plural(count, "row")}
            </Text>
          )}
        </Title>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={opened ? <ChevronDownIcon /> : <ChevronRightIcon />}
          aria-expanded={opened}
          onClick={toggle}
        >
          Why is this in my prompt?
        </Button>
      </div>
      <Collapse expanded={opened}>
        {opened && (
          <Loaded query={query} what="what the prompt held">
            {({ manifest, cited }) => manifest && <Shown shown={manifest} cited={cited} />}
          </Loaded>
        )}
      </Collapse>
    </section>
  );
}

function Shown({ shown, cited }: { shown: ShownManifest; cited: readonly string[] }) {
  const scale = scaleOfRows(shown.rows);
  return (
    <div className={classes.whyBody}>
      <ul className={classes.reasons}>
        {shown.rows.map((row) => (
          <Line key={row.id} row={row} scale={scale} isCited={cited.includes(row.id)} />
        ))}
      </ul>
      {shown.memories > 0 && (
        <Text size="sm" c="dimmed" mt={8}>
          {plural(shown.memories, "thing")} that a person wants remembered came after; only they can read it.
        </Text>
      )}
      <LeftOutList leftOut={shown.left_out} />
      <div className={classes.part}>
        <CopyBox label="Prompt as it was" value={shown.prompt} />
        <Text size="xs" c="dimmed" mt={8} className={classes.manifest}>
          {plural(shown.tokens, "token")} · manifest <code>{shown.manifest}</code>
        </Text>
      </div>
    </div>
  );
}

function Line({ row, scale, isCited }: { row: ManifestRow; scale: Scale; isCited: boolean }) {
  const mayManage = useCan()("knowledge.team.manage");
  const words = lineWords(row.line);
  return (
    <li>
      <Text size="sm" className={classes.words} dir="auto">
        {mayManage && row.type !== null ? (
          <Anchor size="sm" c="inherit" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/knowledge" search={{ row: row.id }} {...props} />}>
            {words}
          </Anchor>
        ) : (
          words
        )}
      </Text>
      <span className={classes.marks}>
        {row.type && <TypeBadge type={row.type} />}
        {isCited && (
          <Badge component="span" size="sm" color="green" title="The session named it in what it said" miw="max-content">
            Cited
          </Badge>
        )}
        {row.state !== null && row.state !== "active" && (
          <Badge component="span" size="sm" color="orange" miw="max-content">
            Now {row.state}
          </Badge>
        )}
        {row.changed && row.type !== null && (
          <Badge component="span" size="sm" color="gray" miw="max-content">
            Says something else now
          </Badge>
        )}
        {row.value && <ValueMark value={row.value} scale={scale} />}
        <Text span size="xs" c="dimmed">
          {row.reason}; {speaksFor(row)}
        </Text>
      </span>
    </li>
  );
}
