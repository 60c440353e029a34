import { Badge, Checkbox, Code, Group, Input, Stack, Text } from "@mantine/core";
import { type Fault, messageAt } from "@/api/faults";
import { Loaded } from "@/ui/Loaded";
import { useTools } from "../hooks/useAgentConfig";
import { type ToolGroup, groupTools, toggled } from "../lib/tools";
import classes from "./agents.module.css";

interface ConfigToolsProps {
  chosen: readonly string[];
  faults: readonly Fault[];
  onChange: (chosen: string[]) => void;
}

/** Which tools the agent may call, by group. */
export function ConfigTools({ chosen, faults, onChange }: ConfigToolsProps) {
  const error = messageAt(faults, "/tool_groups");
  return (
    <Loaded query={useTools()} what="tools">
      {({ data }) => (
        <Stack gap="md">
          <Text size="xs" c="dimmed">
            What is not ticked, the agent cannot call.
          </Text>
          {groupTools(data, chosen).map((group) => (
            <ToolGroupRow
              key={group.name}
              group={group}
              isChosen={chosen.includes(group.name)}
              onToggle={() => onChange(toggled(chosen, group.name))}
            />
          ))}
          {error && <Input.Error>{error}</Input.Error>}
        </Stack>
      )}
    </Loaded>
  );
}

interface ToolGroupRowProps {
  group: ToolGroup;
  isChosen: boolean;
  onToggle: () => void;
}

function ToolGroupRow({ group, isChosen, onToggle }: ToolGroupRowProps) {
  return (
    <div>
      <Checkbox
        checked={isChosen}
        onChange={onToggle}
        label={
          <Group gap={8} component="span">
            <Text span size="sm" fw={550}>
              {group.name}
            </Text>
            {group.tools.length > 0 && <Writes writes={group.writes} />}
          </Group>
        }
      />
      {group.tools.length === 0 ? (
        <Text size="xs" c="dimmed" ml={32}>
          No such tools are offered here.
        </Text>
      ) : (
        <ul className={classes.tools} style={{ marginLeft: 32 }}>
          {group.tools.map((tool) => (
            <li key={tool.name}>
              <Group gap={8}>
                <Code>{tool.name}</Code>
                {group.writes && <Writes writes={tool.writes} />}
              </Group>
              <Text size="xs" c="dimmed" mt={2} lineClamp={2} title={tool.description}>
                {tool.description}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Writes({ writes }: { writes: boolean }) {
  return (
    <Badge size="sm" color={writes ? "orange" : "gray"}>
      {writes ? "Writes" : "Reads"}
    </Badge>
  );
}
