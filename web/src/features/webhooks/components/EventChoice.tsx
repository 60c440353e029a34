import { Button, Checkbox, Group, Input, Radio, ScrollArea, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Loaded } from "@/ui/Loaded";
import { SearchInput } from "@/ui/SearchInput";
import { useWebhookEvents } from "../hooks/useWebhooks";
import { groupEvents } from "../lib/webhooks";

interface EventChoiceProps {
  all: boolean;
  events: readonly string[];
  error?: string | undefined;
  onChange: (part: { all?: boolean; events?: string[] }) => void;
}

/** All events, or those that are ticked. */
export function EventChoice({ all, events, error, onChange }: EventChoiceProps) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Events"
        error={error}
        value={all ? "all" : "some"}
        onChange={(value) => onChange({ all: value === "all" })}
      >
        <Group mt={6}>
          <Radio value="all" label="All, also those to come" />
          <Radio value="some" label="Only some" />
        </Group>
      </Radio.Group>
      {!all && <EventList events={events} onChange={(chosen) => onChange({ events: chosen })} />}
    </Stack>
  );
}

function EventList({ events, onChange }: { events: readonly string[]; onChange: (events: string[]) => void }) {
  const offered = useWebhookEvents();
  const [typed, setTyped] = useState("");
  const toggle = (name: string, isChosen: boolean) =>
    onChange(isChosen ? [...events, name] : events.filter((each) => each !== name));
  return (
    <Loaded query={offered} what="the events">
      {(known) => {
        const groups = groupEvents(known, typed);
        const shown = groups.flatMap((group) => group.events.map(({ name }) => name));
        return (
          <Stack gap="xs">
            <SearchInput label="Find events" maxLength={100} value={typed} onChange={setTyped} />
            <Group justify="space-between">
              <Text size="xs" c="dimmed" role="status">
                {events.length} of {known.length} chosen
              </Text>
              <Group gap={4}>
                <Button variant="subtle" size="compact-xs" disabled={shown.length === 0} onClick={() => onChange([...new Set([...events, ...shown])])}>
                  {typed ? "Choose those found" : "Choose all"}
                </Button>
                <Button variant="subtle" size="compact-xs" disabled={events.length === 0} onClick={() => onChange([])}>
                  Clear
                </Button>
              </Group>
            </Group>
            <Input.Wrapper>
              <ScrollArea.Autosize mah={280} type="auto" offsetScrollbars viewportProps={{ tabIndex: 0, role: "region", "aria-label": "Events to choose" }}>
                <Stack gap="sm" p={2}>
                  {groups.map((group) => (
                    <section key={group.topic} aria-label={group.topic}>
                      <Title order={3} size="xs" c="dimmed" mb={4}>
                        {group.topic}
                      </Title>
                      <Stack gap={6}>
                        {group.events.map(({ name, when }) => (
                          <Checkbox
                            key={name}
                            size="xs"
                            label={name}
                            description={when}
                            checked={events.includes(name)}
                            onChange={(event) => toggle(name, event.currentTarget.checked)}
                          />
                        ))}
                      </Stack>
                    </section>
                  ))}
                  {groups.length === 0 && (
                    <Text size="sm" c="dimmed">
                      No event goes by these words.
                    </Text>
                  )}
                </Stack>
              </ScrollArea.Autosize>
            </Input.Wrapper>
          </Stack>
        );
      }}
    </Loaded>
  );
}
