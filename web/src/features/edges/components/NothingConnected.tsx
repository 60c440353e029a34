import { Link2Icon } from "@radix-ui/react-icons";
import { ConnectRecord } from "@/features/entities/components/ConnectRecord";
import { useEntity } from "@/features/entities/hooks/useEntities";
import { useEntityType } from "@/features/entity_types/hooks/useEntityTypes";
import { humanize, listRelationFields } from "@/features/entity_types/lib/fields";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { EmptyState } from "@/ui/states";

interface NothingConnectedProps {
  entityId: string;
  fieldKey: string;
}

/** There is nothing to rate yet; the way to change that is right here. */
export function NothingConnected({ entityId, fieldKey }: NothingConnectedProps) {
  const entity = useEntity(entityId);
  const entityType = useEntityType(entity.data?.type);
  const canConnect = useCan()("entities.team.create");
  const field = entityType.data && listRelationFields(entityType.data).find(({ key }) => key === fieldKey);
  const label = field?.label ?? humanize(fieldKey);
  return (
    <EmptyState
      icon={<Link2Icon width={20} height={20} />}
      title={`No ${label.toLowerCase()} connected`}
      action={field && canConnect && <ConnectRecord entityId={entityId} field={field} connected={[]} />}
    >
      This criteria set rates each record that is connected as {label}.{" "}
      {field
        ? canConnect
          ? "Connect the first one."
          : "Contributors and admins can connect records."
        : "The type of this record has no such relation."}
    </EmptyState>
  );
}
