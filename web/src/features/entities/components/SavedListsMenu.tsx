import { Button, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { BookmarkIcon, CaretDownIcon, CheckIcon, Pencil1Icon, PlusIcon, TrashIcon, UpdateIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { ListQuery, SavedList } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useSavedListActions, useSavedLists } from "../hooks/useSavedLists";
import { partyName } from "../lib/provenance";
import { isSame, mayChange, toSearch } from "../lib/savedLists";
import type { RecordsSearch } from "../lib/search";
import { SaveListDialog } from "./SaveListDialog";

interface SavedListsMenuProps {
  /** What would be saved now. */
  query: ListQuery;
  /** The id that the address names. */
  current: string | undefined;
  onOpen: (search: RecordsSearch) => void;
  /** The address names another list, or none. */
  onCurrent: (id: string | undefined) => void;
}

/** Lists of records under a name: to open one, to save what is shown, and to change or share what was saved. */
export function SavedListsMenu({ query, current, onOpen, onCurrent }: SavedListsMenuProps) {
  const { rows = [] } = useSavedLists();
  const { change, remove } = useSavedListActions();
  const can = useCan();
  const [saving, dialog] = useDisclosure(false);
  const [edited, setEdited] = useState<SavedList | null>(null);
  const opened = rows.find(({ id }) => id === current);
  const editable = opened && mayChange(opened, can) ? opened : undefined;
  const differs = opened !== undefined && !isSame(opened.query, query);

  const save = (list: SavedList) =>
    change.mutate(
      { id: list.id, version: list.version, query },
      {
        onSuccess: () => notifyDone(`${list.name} was saved.`),
        onError: (error) => notifyProblem("The list was not saved", error),
      },
    );
  const askToDelete = (list: SavedList) =>
    confirmDanger({
      title: `Delete ${list.name}?`,
      children: list.shared ? "Nobody in the workspace has this list any more. Its records stay." : "Its records stay.",
      action: "Delete list",
      onConfirm: () =>
        remove.mutate(list.id, {
          onSuccess: () => {
            onCurrent(undefined);
            notifyDone(`${list.name} was deleted.`);
          },
          onError: (error) => notifyProblem("The list was not deleted", error),
        }),
    });
  const item = (list: SavedList) => (
    <Menu.Item
      key={list.id}
      aria-current={list.id === current || undefined}
      rightSection={list.id === current ? <CheckIcon aria-hidden /> : undefined}
      onClick={() => onOpen(toSearch(list))}
    >
      {list.name}
      {list.shared && !list.own && (
        <Text size="xs" c="dimmed">
          by {partyName(list.created_by)}
        </Text>
      )}
    </Menu.Item>
  );
  const own = rows.filter(({ shared }) => !shared);
  const shared = rows.filter((list) => list.shared);
  return (
    <>
      <Menu position="bottom-start" width={280} withinPortal={false}>
        <Menu.Target>
          <Button variant="default" size="xs" maw={280} leftSection={<BookmarkIcon />} rightSection={<CaretDownIcon />}>
            {opened ? `${opened.name}${differs ? ", changed" : ""}` : "Lists"}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label="Lists" mah={440} style={{ overflowY: "auto" }}>
          {own.length > 0 && <Menu.Label>Only yours</Menu.Label>}
          {own.map(item)}
          {shared.length > 0 && <Menu.Label>Shared with the workspace</Menu.Label>}
          {shared.map(item)}
          {rows.length > 0 && <Menu.Divider />}
          {editable && differs && (
            <Menu.Item leftSection={<UpdateIcon />} onClick={() => save(editable)}>
              Save changes to {editable.name}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<PlusIcon />} onClick={dialog.open}>
            New list from what is shown
          </Menu.Item>
          {editable && (
            <>
              <Menu.Item leftSection={<Pencil1Icon />} onClick={() => setEdited(editable)}>
                Rename or share {editable.name}
              </Menu.Item>
              <Menu.Item leftSection={<TrashIcon />} c="var(--mantine-color-error)" onClick={() => askToDelete(editable)}>
                Delete {editable.name}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <SaveListDialog opened={saving} query={query} onClose={dialog.close} onSaved={({ id }) => onCurrent(id)} />
      <SaveListDialog opened={edited !== null} list={edited ?? undefined} query={query} onClose={() => setEdited(null)} onSaved={() => {}} />
    </>
  );
}
