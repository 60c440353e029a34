import { Badge, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Task } from "@/api/types";
import { EnabledSwitch, TaskActs } from "@/features/tasks/components/TaskActs";
import { TaskConfiguration } from "@/features/tasks/components/TaskConfiguration";
import { TaskDialog } from "@/features/tasks/components/TaskDialog";
import { TaskSchedule } from "@/features/tasks/components/TaskFacts";
import { TaskRuns } from "@/features/tasks/components/TaskRuns";
import { useTask } from "@/features/tasks/hooks/useTasks";
import { kindLabel } from "@/features/tasks/lib/tasks";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/tasks/$id");

export function TaskPage() {
  const { id } = route.useParams();
  const task = useTask(id);
  useTitle(task.data?.name, "Tasks");
  return (
    <>
      <BackLink to="/tasks">Tasks</BackLink>
      <Loaded query={task} what="the task">
        {(found) => <TaskShown task={found} />}
      </Loaded>
    </>
  );
}

function TaskShown({ task }: { task: Task }) {
  const navigate = route.useNavigate();
  const [editing, setEditing] = useState<Task | null>(null);
  return (
    <>
      <PageHeader
        title={task.name}
        actions={
          <>
            <EnabledSwitch task={task} label="Enabled" />
            <TaskActs task={task} onEdit={setEditing} onRemoved={() => void navigate({ to: "/tasks" })} />
          </>
        }
      />
      <Paper withBorder radius="lg" p="md" mb="xl">
        <Stack gap="sm">
          <Group gap="sm">
            <Badge color="gray">{kindLabel(task.kind)}</Badge>
            <Text size="sm">
              by <Code>{task.agent}</Code>
            </Text>
          </Group>
          <TaskSchedule task={task} />
          <TaskConfiguration task={task} />
        </Stack>
      </Paper>
      <Title order={2} mb="md">
        Last runs
      </Title>
      <TaskRuns task={task} />
      <TaskDialog task={editing} onClose={() => setEditing(null)} />
    </>
  );
}
