import { Center, Stack } from "@mantine/core";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ErrorState } from "@/ui/states";

/** What is left when a page cannot be drawn at all. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Center mih="50dvh" p="md">
      <Stack w="100%" maw={480}>
        <ErrorState
          error={error}
          onRetry={() => {
            reset();
            void router.invalidate();
          }}
        />
      </Stack>
    </Center>
  );
}
