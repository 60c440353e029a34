import { Menu } from "@mantine/core";
import { useMembers } from "@/features/tenants/hooks/useMembers";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { canBeAssigned } from "../lib/reviewers";

interface ReviewerItemsProps {
  /** Whose it is now: null for nobody's, undefined where several are meant. */
  current?: string | null;
  onChoose: (userId: string | null) => void;
}

/** In a menu: who can be asked to review. */
export function ReviewerItems({ current, onChoose }: ReviewerItemsProps) {
  const { userId } = useTenant();
  const members = (useMembers().rows ?? []).filter(({ role }) => canBeAssigned(role));
  return (
    <>
      {members.map(({ user_id, name }) => (
        <Menu.Item key={user_id} disabled={current === user_id} onClick={() => onChoose(user_id)}>
          {user_id === userId ? `${name} (you)` : name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item disabled={current === null} onClick={() => onChoose(null)}>
        Nobody
      </Menu.Item>
    </>
  );
}
