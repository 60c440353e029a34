import { useLocalStorage } from "@mantine/hooks";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { MAX_COLUMNS } from "../lib/search";

/** The fields that are columns of the list of a type: those of the address, else those that were chosen last. */
export function useColumns(type: string | undefined, asked: readonly string[] | undefined) {
  const { slug } = useTenant();
  const [kept, keep] = useLocalStorage<string[]>({
    key: `goldloop-columns:${slug}:${type ?? ""}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const chosen = type ? [...(asked ?? (Array.isArray(kept) ? kept : []))].slice(0, MAX_COLUMNS) : [];
  return { chosen, keep };
}
