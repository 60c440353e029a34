/** What a page shows instead of its content: waiting, nothing, failure, no access. */
import { Alert, Button, Center, Paper, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from "@mantine/core";
import { ExclamationTriangleIcon, LockClosedIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";
import { toProblem } from "@/api/problem";

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <Paper withBorder radius="lg" px="lg" py={48} style={{ borderStyle: "dashed" }}>
      <Center>
        <Stack align="center" gap="sm" maw={460}>
          {icon && (
            <ThemeIcon variant="light" color="gold" size={44} radius="xl" aria-hidden>
              {icon}
            </ThemeIcon>
          )}
          <Title order={2} ta="center">
            {title}
          </Title>
          <Text c="dimmed" size="sm" ta="center" component="div">
            {children}
          </Text>
          {action}
        </Stack>
      </Center>
    </Paper>
  );
}

export function NoAccess({ what }: { what: string }) {
  return (
    <EmptyState icon={<LockClosedIcon width={20} height={20} />} title="You do not have access to this">
      Your role in this workspace does not include {what}. Ask an admin or the owner of the workspace if you need it.
    </EmptyState>
  );
}

interface ErrorStateProps {
  error: unknown;
  onRetry: () => void;
}

export function ErrorState({ error, onRetry }: ErrorStateProps) {
  return (
    <Alert color="red" icon={<ExclamationTriangleIcon />} title="This could not be loaded" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{toProblem(error).message}</Text>
        <Button variant="default" size="xs" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

export function LoadingRows({ label, rows = 4 }: { label: string; rows?: number }) {
  return (
    <Stack gap={1} role="status" aria-busy="true">
      <VisuallyHidden>{`Loading ${label}`}</VisuallyHidden>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={46} radius="sm" aria-hidden />
      ))}
    </Stack>
  );
}

interface FormProblemProps {
  children: ReactNode;
}

/** The sentence above a form that no single field can carry. */
export function FormProblem({ children }: FormProblemProps) {
  if (!children) return null;
  return (
    <Alert color="red" role="alert" icon={<ExclamationTriangleIcon />}>
      {children}
    </Alert>
  );
}
