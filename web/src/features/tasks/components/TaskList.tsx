import { Anchor, Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import { ClockIcon, PlusIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Task } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useNewDialog } from "@/ui/useNewDialog";
import { useTasks } from "../hooks/useTasks";
import { kindLabel } from "../lib/tasks";
import { EnabledSwitch, TaskActs } from "./TaskActs";
import { TaskDialog } from "./TaskDialog";
import { LastRun, TaskSchedule } from "./TaskFacts";

const COLUMNS: Column<Task>[] = [
  {
    key: "name",
    header: "Task",
    cell: ({ id, name, kind }) => (
      <Stack gap={0}>
        <Anchor size="sm" fw={550} c="inherit" renderRoot={(props) => <Link to="/tasks/$id" params={{ id }} {...props} />}>
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {kindLabel(kind)}
        </Text>
      </Stack>
    ),
  },
  { key: "agent", header: "Agent", cell: ({ agent }) => <Code>{agent}</Code> },
  { key: "schedule", header: "Schedule", cell: (task) => <TaskSchedule task={task} /> },
  { key: "enabled", header: "Enabled", cell: (task) => <EnabledSwitch task={task} /> },
  { key: "last", header: "Last run", cell: (task) => <LastRun task={task} /> },
];

/** Work for agents, by hand or by the clock. */
export function TaskList() {
  const tasks = useTasks();
  const canManage = useCan()("tasks.team.manage");
  const [opened, dialog] = useNewDialog();
  const [editing, setEditing] = useState<Task | null>(null);
  const newTask = canManage && (
    <Button leftSection={<PlusIcon />} variant="default" onClick={dialog.open}>
      New task
    </Button>
  );
  const acts: Column<Task> = {
    key: "acts",
    header: "Actions",
    hideHeader: true,
    cell: (task) => <TaskActs task={task} onEdit={setEditing} />,
  };
  return (
    <section aria-labelledby="work-for-agents">
      <Group justify="space-between" mt={40} mb="md" gap="sm">
        <div>
          <Title order={2} id="work-for-agents">
            Work for agents
          </Title>
          <Text size="sm" c="dimmed">
            What agents do again and again, by hand or by the clock. Each run is a session.
          </Text>
        </div>
        {(tasks.rows?.length ?? 0) > 0 && newTask}
      </Group>
      <PagedRows
        list={tasks}
        what="tasks"
        empty={
          <EmptyState icon={<ClockIcon width={20} height={20} />} title="No tasks for agents yet" action={newTask}>
            A task says the same to an agent whenever it is due, or has it propose values for records of a type.
          </EmptyState>
        }
      >
        {(rows) => <DataTable label="Tasks" columns={[...COLUMNS, acts]} rows={rows} rowKey={({ id }) => id} />}
      </PagedRows>
      <TaskDialog
        task={editing ?? (opened && canManage ? "new" : null)}
        onClose={() => (editing ? setEditing(null) : dialog.close())}
      />
    </section>
  );
}
