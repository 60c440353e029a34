import { Stack } from "@mantine/core";
import { useState } from "react";
import type { Agent, AgentVersion } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyDone } from "@/ui/notify";
import { useIsDraftKept } from "@/ui/useIsDraftKept";
import { useConfigDraftName } from "../hooks/useConfigEditor";
import { ConfigEditor } from "./ConfigEditor";
import { ConfigReadOnly } from "./ConfigReadOnly";
import { RunsElsewhere } from "./RunsElsewhere";
import { Secrets } from "./Secrets";

interface ConfigurationTabProps {
  agent: Agent;
  version: AgentVersion | null;
}

export function ConfigurationTab({ agent, version }: ConfigurationTabProps) {
  const canManage = useCan()("agents.team.manage");
  const isBegun = useIsDraftKept(useConfigDraftName(agent.id));
  const [isOpen, setOpen] = useState(false);
  if (!canManage) return version ? <ConfigReadOnly config={version.config} /> : <RunsElsewhere agent={agent} />;
  if (!version && !isOpen && !isBegun) return <RunsElsewhere agent={agent} onConfigure={() => setOpen(true)} />;
  return (
    <Stack gap={32}>
      <ConfigEditor
        agentId={agent.id}
        version={version}
        onSaved={(saved) => notifyDone(`Version ${saved.version} of ${agent.name} was saved.`)}
      />
      <Secrets agentId={agent.id} />
    </Stack>
  );
}
