import { Center, Loader } from "@mantine/core";

/** Shown when a page takes longer than a moment to arrive. */
export function PendingPage() {
  return (
    <Center mih="50dvh" role="status" aria-label="Loading">
      <Loader color="var(--gl-accent)" type="dots" />
    </Center>
  );
}
