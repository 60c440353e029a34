import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

interface Table {
  type: string;
  text: string;
  dry_run: boolean;
}

export function useRecordImport() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["entities", slug, "import"],
    mutationFn: (table: Table) => unwrap(api.POST("/api/entities/import", { body: table })),
    onSuccess: (report) => (report.imported ? queryClient.invalidateQueries({ queryKey: ["entities", slug] }) : undefined),
  });
}
