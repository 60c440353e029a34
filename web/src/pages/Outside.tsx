import { Center, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Logo } from "@/ui/Logo";

interface OutsideProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The frame of pages seen before signing in. */
export function Outside({ title, lead, children }: OutsideProps) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Group justify="center" gap={10}>
          <Logo size={32} />
          <Text fw={650} fz={20} style={{ letterSpacing: "-0.015em" }}>
            Goldloop
          </Text>
        </Group>
        <Paper withBorder radius="lg" p={{ base: "lg", xs: 28 }} shadow="xs">
          <Stack gap="lg">
            <div>
              <Title order={1} fz={20}>
                {title}
              </Title>
              {lead && (
                <Text size="sm" c="dimmed" mt={4}>
                  {lead}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
}
