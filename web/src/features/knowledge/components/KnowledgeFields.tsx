import { NativeSelect, SimpleGrid, Switch, Textarea } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { useAgents } from "@/features/tenants/hooks/useAgents";
import { ListSelect } from "@/ui/ListSelect";
import type { KnowledgeDraft } from "../lib/draft";
import { TYPES, TYPE_LOOK } from "../lib/words";
import { MAX_CONTENT, MAX_CONTEXT, submitOnEnter } from "./DecideDialog";

interface KnowledgeFieldsProps {
  form: UseFormReturnType<KnowledgeDraft>;
  /** Which has the focus. */
  first: "type" | "content";
  /** Whether the row is there, and can be pinned. */
  isThere: boolean;
}

export function KnowledgeFields({ form, first, isThere }: KnowledgeFieldsProps) {
  return (
    <>
      <NativeSelect
        label="Type"
        description={TYPE_LOOK[form.values.type].means}
        data-autofocus={first === "type" || undefined}
        data={TYPES.map((value) => ({ value, label: TYPE_LOOK[value].label }))}
        {...form.getInputProps("type")}
      />
      <Textarea
        label="What agents are to know"
        description="One sentence that says what to do. Few, short and specific lines are followed; many are not."
        data-autofocus={first === "content" || undefined}
        required
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_CONTENT}
        onKeyDown={submitOnEnter}
        {...form.getInputProps("content")}
      />
      <Textarea
        label="When it applies"
        placeholder="when filling in `employees`"
        autosize
        maxRows={4}
        maxLength={MAX_CONTEXT}
        onKeyDown={submitOnEnter}
        {...form.getInputProps("context")}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ListSelect
          list={useAgents()}
          option={({ id, name }) => ({ value: id, label: name })}
          label="For"
          none="All agents"
          unknown="An agent"
          value={form.values.agent_id}
          error={form.errors.agent_id}
          onChange={(value) => form.setFieldValue("agent_id", value)}
        />
        <ListSelect
          list={useEntityTypes()}
          option={({ id, name }) => ({ value: id, label: name })}
          label="About"
          none="All types of record"
          unknown="A type"
          value={form.values.entity_type_id}
          error={form.errors.entity_type_id}
          onChange={(value) => form.setFieldValue("entity_type_id", value)}
        />
      </SimpleGrid>
      {isThere && (
        <Switch label="Pinned" description="It comes before all others of its type" {...form.getInputProps("pinned", { type: "checkbox" })} />
      )}
    </>
  );
}
