import { ActionIcon, Button, Group, Menu } from "@mantine/core";
import { DotsHorizontalIcon, ResetIcon, TrashIcon } from "@radix-ui/react-icons";
import type { EntityResponse } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import type { Reviewing } from "../hooks/useReview";
import { canReject, canReopen, promotableKeys } from "../lib/status";

interface ResponseActsProps {
  response: EntityResponse;
  review: Reviewing;
  /** Only the response that the focus is in takes part in the tab order. */
  reachable: boolean;
}

export function ResponseActs({ response, review, reachable }: ResponseActsProps) {
  const tabIndex = reachable ? 0 : -1;
  const who = partyName(response.submitted_by);
  const keys = review.canPromote ? promotableKeys(response) : [];
  const reopen = review.canReview && canReopen(response);
  const withdraw = review.mayWithdraw(response);
  return (
    <Group gap={6} wrap="nowrap">
      {keys.length > 1 && (
        <Button
          size="compact-sm"
          tabIndex={tabIndex}
          aria-label={`Promote all ${keys.length} values of ${who}`}
          onClick={() => review.promote(response, keys)}
        >
          Promote all
        </Button>
      )}
      {review.canReview && canReject(response) && (
        <Button
          size="compact-sm"
          variant="default"
          tabIndex={tabIndex}
          aria-label={`Reject the response of ${who}`}
          onClick={() => review.reject(response)}
        >
          Reject
        </Button>
      )}
      {(reopen || withdraw) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" tabIndex={tabIndex} aria-label={`More for the response of ${who}`}>
              <DotsHorizontalIcon />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {reopen && (
              <Menu.Item leftSection={<ResetIcon />} onClick={() => review.reopen(response)}>
                Reopen
              </Menu.Item>
            )}
            {withdraw && (
              <Menu.Item
                color="var(--mantine-color-error)"
                leftSection={<TrashIcon />}
                onClick={() => review.withdraw(response)}
              >
                Withdraw
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
