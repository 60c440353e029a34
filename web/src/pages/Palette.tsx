import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useDebouncedValue, useDisclosure, useHotkeys } from "@mantine/hooks";
import { ChatBubbleIcon, ClockIcon, LayersIcon, MagnifyingGlassIcon } from "@radix-ui/react-icons";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useConversationSuggestions } from "@/features/conversations/hooks/useConversations";
import { useEntitySuggestions } from "@/features/entities/hooks/useEntities";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { useSignOut } from "@/features/tenants/hooks/useSession";
import { useCan, useTenant } from "@/features/tenants/hooks/useWorkspace";
import { CommandPalette, type PaletteGroup, type PaletteItem } from "@/ui/CommandPalette";
import { notifyProblem } from "@/ui/notify";
import { useRecent } from "@/ui/recent";
import { ACTS, type Command, PAGES, matching } from "./commands";

const PAUSE_MS = 150; // after the last key, before the server is asked
const SHOWN = 6; // of each kind
const DIALOG = "[role=dialog], [role=alertdialog]";
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Ctrl+K, or ⌘K: finds records, conversations, pages and acts from anywhere but a dialog. */
export function Palette() {
  const [opened, { open, close }] = useDisclosure(false);
  // Also while something is typed: only a dialog keeps its keys.
  useHotkeys([["mod+K", () => document.querySelector(DIALOG) === null && open()]], []);
  return (
    <>
      <Button
        visibleFrom="sm"
        size="xs"
        variant="default"
        c="dimmed"
        fw={450}
        miw={190}
        justify="flex-start"
        styles={{ label: { flex: 1 } }}
        leftSection={<MagnifyingGlassIcon />}
        rightSection={<Kbd size="xs">{IS_MAC ? "⌘K" : "Ctrl K"}</Kbd>}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
      >
        Find or do…
      </Button>
      <ActionIcon hiddenFrom="sm" size="lg" variant="subtle" color="gray" aria-label="Find or do" onClick={open}>
        <MagnifyingGlassIcon width={18} height={18} />
      </ActionIcon>
      <OpenPalette opened={opened} onClose={close} />
    </>
  );
}

function OpenPalette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const found = useFound(opened ? typed : "");
  return (
    <CommandPalette
      opened={opened}
      label="Find or do"
      placeholder="Find records, conversations and pages, or do something"
      typed={typed}
      onType={setTyped}
      {...found}
      onClose={() => {
        onClose();
        setTyped("");
      }}
    />
  );
}

/** What fits to what was typed; without anything, what was opened last and all that can be done. */
function useFound(typed: string): { groups: PaletteGroup[]; loading: boolean } {
  const { slug } = useTenant();
  const can = useCan();
  const router = useRouter();
  const signOut = useSignOut();
  const { rows: types = [] } = useEntityTypes();
  const typeName = (slug: string) => types.find((type) => type.slug === slug)?.name ?? slug;
  const { recent, note } = useRecent(slug);
  const [paused] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const asked = typed.trim() === "" ? "" : paused;
  const records = useEntitySuggestions(undefined, asked, asked !== "" && can("entities.team.read"));
  const talks = useConversationSuggestions(asked, asked !== "" && can("conversations.team.read"));

  const lead = (id: string, name: string, detail: string | undefined, href: string, icon: PaletteItem["icon"]): PaletteItem => ({
    id,
    name,
    detail,
    icon,
    run: () => {
      note({ id, name, detail, href });
      router.history.push(href);
    },
  });
  const command = ({ name, icon, link, act }: Command): PaletteItem => ({
    id: name,
    name,
    icon,
    run: () => {
      if (link) void router.navigate(link);
      if (act === "sign-out") signOut.mutate(undefined, { onError: (error) => notifyProblem("Still signed in", error) });
    },
  });
  const pages = matching(PAGES, typed, can).map(command);
  const acts = matching(ACTS, typed, can).map(command);
  if (asked === "" && typed.trim() === "") {
    const opened = recent.map(({ id, name, detail, href }) => lead(id, name, detail, href, <ClockIcon />));
    return { groups: nonEmpty({ Recent: opened, Acts: acts, Pages: pages }), loading: false };
  }
  const rows = asked === "" ? [] : (records.data?.data ?? []).slice(0, SHOWN);
  const conversations = asked === "" ? [] : (talks.data?.data ?? []).slice(0, SHOWN);
  // What comes from the server comes later, hence below: nothing moves under somebody's fingers.
  const groups = nonEmpty({
    Pages: pages,
    Acts: acts,
    Records: rows.map(({ id, title, type }) => lead(id, title, typeName(type), router.buildLocation({ to: "/records/$id", params: { id } }).href, <LayersIcon />)),
    Conversations: conversations.map(({ id, project, title }) => {
      const to = "/admin/agent-review/conversations/$project/$conversation";
      const { href } = router.buildLocation({ to, params: { project, conversation: id } });
      return lead(`${project}/${id}`, title || id, project, href, <ChatBubbleIcon />);
    }),
  });
  return { groups, loading: typed.trim() !== paused || records.isFetching || talks.isFetching };
}

function nonEmpty(groups: Record<string, PaletteItem[]>): PaletteGroup[] {
  return Object.entries(groups).flatMap(([label, items]) => (items.length > 0 ? [{ label, items }] : []));
}
