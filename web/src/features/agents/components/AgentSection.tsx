import { Paper, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface AgentSectionProps {
  title: string;
  children: ReactNode;
}

/** A part of an agent's page, with its heading. */
export function AgentSection({ title, children }: AgentSectionProps) {
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-label={title}>
      <Title order={3} mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
