import { useDraftName } from "@/features/responses/hooks/useDraftName";
import { useIsDraftKept } from "@/ui/useIsDraftKept";

/** Whether a response to the record, or to one of its criteria sets, was begun here and not sent. */
export function useIsResponseBegun(entityId: string, setId = ""): boolean {
  const name = useDraftName();
  const response = useIsDraftKept(name("response", entityId, setId));
  const matrix = useIsDraftKept(name("matrix", entityId, setId));
  return response || matrix;
}
