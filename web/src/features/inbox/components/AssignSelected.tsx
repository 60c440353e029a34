import { Button, Menu } from "@mantine/core";
import { PersonIcon } from "@radix-ui/react-icons";
import type { Selection } from "@/features/entities/components/SelectionBar";
import { partyName } from "@/features/entities/lib/provenance";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useAssignRecords } from "../hooks/useWaiting";
import { ReviewerItems } from "./ReviewerItems";

/** Gives what waits for review of the selected records to somebody. */
export function AssignSelected({ selection }: { selection: Selection }) {
  const assign = useAssignRecords();
  const mayReview = useCan()("responses.team.review");
  if (!mayReview) return null;
  const assignTo = async (userId: string | null) => {
    try {
      const { assigned_to, changed } = await assign.mutateAsync({ entityIds: await selection.ids(), userId });
      const what = `${changed} ${changed === 1 ? "proposal" : "proposals"}`;
      notifyDone(
        changed === 0
          ? "Nothing changed: what waits of these records is assigned so already."
          : `${what} assigned to ${assigned_to ? partyName(assigned_to) : "nobody"}.`,
      );
      selection.clear();
    } catch (error) {
      notifyProblem("Not all of them were assigned", error);
    }
  };
  return (
    <Menu>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<PersonIcon />} loading={assign.isPending}>
          Assign
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>What waits for review goes to</Menu.Label>
        <ReviewerItems onChoose={(userId) => void assignTo(userId)} />
      </Menu.Dropdown>
    </Menu>
  );
}
