import { Paper, Stack } from "@mantine/core";
import type { LimitsView } from "@/api/types";
import { KeyLimits } from "@/features/limits/components/KeyLimits";
import { LimitsForm } from "@/features/limits/components/LimitsForm";
import { LimitUses } from "@/features/limits/components/LimitUses";
import { useLimits } from "@/features/limits/hooks/useLimits";
import { useKeys } from "@/features/tenants/hooks/useKeys";
import { useCan, useWorkspace } from "@/features/tenants/hooks/useWorkspace";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { LoadingRows, NoAccess } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

export function LimitsPage() {
  useTitle("Limits", "Settings");
  const { isPending } = useWorkspace();
  const can = useCan()("limits.team.manage");
  if (isPending) return <LoadingRows label="limits" />;
  return can ? <Body /> : <NoAccess what="limits" />;
}

function Body() {
  return (
    <Loaded query={useLimits()} what="limits">
      {(view) => <Sections view={view} />}
    </Loaded>
  );
}

function Sections({ view }: { view: LimitsView }) {
  return (
    <Stack gap={40}>
      <section>
        <PageHeader order={2} title="What is used" description="Requests are counted where there is a limit. Days are those of UTC." />
        <LimitUses view={view} />
      </section>
      <section>
        <PageHeader order={2} title="Limits" description="A request too many is refused until the next minute, a run that a budget has no room for until the next day. Runs under way go on." />
        <Paper withBorder radius="lg" p="lg">
          <LimitsForm key={JSON.stringify(view.limits)} view={view} />
        </Paper>
      </section>
      <section>
        <PageHeader order={2} title="Keys" description="What a key may use of it." />
        <Keys view={view} />
      </section>
    </Stack>
  );
}

function Keys({ view }: { view: LimitsView }) {
  const { rows } = useKeys("active");
  return <KeyLimits limits={view.keys} keys={rows ?? []} />;
}
