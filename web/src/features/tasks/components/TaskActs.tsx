import { ActionIcon, Button, Group, Menu, Switch } from "@mantine/core";
import { DotsHorizontalIcon, Pencil1Icon, PlayIcon, TrashIcon } from "@radix-ui/react-icons";
import { useNavigate } from "@tanstack/react-router";
import type { Task } from "@/api/types";
import { SESSION_PAGE } from "@/features/agents/lib/addresses";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useTaskActions } from "../hooks/useTasks";

/** Whether the schedule of a task counts. */
export function EnabledSwitch({ task, label }: { task: Task; label?: string }) {
  const { change } = useTaskActions();
  const canManage = useCan()("tasks.team.manage");
  if (!task.schedule) return null;
  const toggle = (enabled: boolean) =>
    change.mutate(
      { id: task.id, version: task.version, enabled },
      { onError: (error) => notifyProblem("The task was not changed", error) },
    );
  return (
    <Switch
      size="sm"
      label={label}
      aria-label={`${task.name} is enabled`}
      checked={task.enabled}
      disabled={!canManage || change.isPending}
      onChange={(event) => toggle(event.currentTarget.checked)}
    />
  );
}

interface TaskActsProps {
  task: Task;
  onEdit: (task: Task) => void;
  onRemoved?: () => void;
}

/** Run now, edit, delete. */
export function TaskActs({ task, onEdit, onRemoved }: TaskActsProps) {
  const { run, remove } = useTaskActions();
  const navigate = useNavigate();
  const can = useCan();
  const start = () =>
    run.mutate(task.id, {
      onSuccess: ({ id }) => void navigate({ to: SESSION_PAGE, params: { id } as never }),
      onError: (error) => notifyProblem("The task was not run", error),
    });
  const askToRemove = () =>
    confirmDanger({
      title: `Delete ${task.name}?`,
      children: "It does not run any more. Its sessions stay.",
      action: "Delete task",
      onConfirm: () =>
        remove.mutate(task.id, {
          onSuccess: () => {
            notifyDone(`${task.name} was deleted.`);
            onRemoved?.();
          },
          onError: (error) => notifyProblem("The task was not deleted", error),
        }),
    });
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {can("tasks.team.run") && can("sessions.team.create") && (
        <Button
          size="xs"
          variant="default"
          leftSection={<PlayIcon />}
          loading={run.isPending}
          aria-label={`Run ${task.name} now`}
          onClick={start}
        >
          Run now
        </Button>
      )}
      {can("tasks.team.manage") && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${task.name}`}>
              <DotsHorizontalIcon />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Pencil1Icon />} onClick={() => onEdit(task)}>
              Edit
            </Menu.Item>
            <Menu.Item color="var(--mantine-color-error)" leftSection={<TrashIcon />} onClick={askToRemove}>
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
