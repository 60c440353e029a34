import { Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { Account } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import { RemoveSecondFactorDialog } from "./RemoveSecondFactorDialog";
import { RenewCodesDialog } from "./RenewCodesDialog";
import { SecondFactorDialog } from "./SecondFactorDialog";

/** The second factor of the password: off, or on with what can be done about it. */
export function SecondFactorCard({ account }: { account: Account }) {
  const [opened, setOpened] = useState<"begin" | "renew" | "remove" | null>(null);
  const close = () => setOpened(null);
  const since = account.second_factor_since;
  return (
    <Paper withBorder radius="lg" p="lg">
      <Stack>
        <div>
          <Group gap={8}>
            <Title order={3}>Second factor</Title>
            <Badge color={since ? "green" : "gray"}>{since ? "On" : "Off"}</Badge>
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {since ? (
              <>
                On since <RelativeTime value={since} />. {account.recovery_codes_left} recovery codes are left.
              </>
            ) : (
              "With it your password is not enough to sign in: a code of an app on your telephone is needed as well."
            )}
          </Text>
        </div>
        <Group>
          {since ? (
            <>
              <Button variant="default" onClick={() => setOpened("renew")}>
                New recovery codes
              </Button>
              <Button variant="default" onClick={() => setOpened("remove")}>
                Turn off
              </Button>
            </>
          ) : (
            <Button onClick={() => setOpened("begin")}>Turn on</Button>
          )}
        </Group>
      </Stack>
      <SecondFactorDialog opened={opened === "begin"} onClose={close} />
      <RenewCodesDialog opened={opened === "renew"} onClose={close} />
      <RemoveSecondFactorDialog opened={opened === "remove"} onClose={close} />
    </Paper>
  );
}
