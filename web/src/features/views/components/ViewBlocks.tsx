import { Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { CriteriaSet, Entity, EntityType, ViewBlock } from "@/api/types";
import { useCriteriaSet, useCriteriaSetOfType } from "@/features/criteria/hooks/useCriteriaSets";
import { ResponseFormBlock } from "@/features/edges/components/ResponseFormBlock";
import { RelationList } from "@/features/entities/components/RelationList";
import { featuredSetId } from "@/features/entity_types/lib/featured";
import { FieldList } from "@/features/promotion/components/FieldList";
import { ResponsesTab } from "@/features/promotion/components/ResponsesTab";
import { ScoreProgressionChart } from "@/features/responses/components/ScoreProgressionChart";
import { Markdown } from "@/ui/Markdown";
import { ErrorState, LoadingRows } from "@/ui/states";
import { BLOCK_LABEL } from "../lib/blocks";

interface ViewBlocksProps {
  entity: Entity;
  entityType: EntityType;
  blocks: readonly ViewBlock[];
}

/** Blocks only show: everything they say is read from the record, its responses and its criteria sets. */
export function ViewBlocks({ entity, entityType, blocks }: ViewBlocksProps) {
  if (blocks.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        This view has no blocks yet.
      </Text>
    );
  }
  return (
    <Stack gap="lg">
      {blocks.map((block, place) => (
        // A view may show the same block twice; its place is all that tells them apart.
        <Block key={place} block={block} entity={entity} entityType={entityType} />
      ))}
    </Stack>
  );
}

interface BlockProps {
  block: ViewBlock;
  entity: Entity;
  entityType: EntityType;
}

function Block({ block, entity, entityType }: BlockProps) {
  switch (block.type) {
    case "fields":
      return (
        <Titled title={block.title ?? "Fields"}>
          <FieldList entity={entity} entityType={entityType} fields={block.fields ?? null} />
        </Titled>
      );
    case "relations":
      return (
        <Titled title={block.title ?? "Relations"}>
          <RelationList entity={entity} entityType={entityType} fieldKey={block.field_key ?? null} />
        </Titled>
      );
    case "responses":
      return (
        <Titled title={block.title ?? "Responses"}>
          <ResponsesTab entity={entity} entityType={entityType} criteriaSetSlug={block.criteria_set_slug ?? null} />
        </Titled>
      );
    case "score-progression":
      return (
        <Titled title={block.title}>
          <WithCriteriaSet slug={block.criteria_set_slug} entityType={entityType}>
            {(set) => <ScoreProgressionChart entityId={entity.id} criteriaSetId={set.id} />}
          </WithCriteriaSet>
        </Titled>
      );
    case "response-form":
      return (
        <Titled title={block.title} isFramed>
          <WithCriteriaSet slug={block.criteria_set_slug} entityType={entityType}>
            {(set) => <ResponseFormBlock key={set.id} entity={entity} criteriaSet={set} />}
          </WithCriteriaSet>
        </Titled>
      );
    case "text":
      return (
        <Titled title={block.title} isFramed>
          <Markdown>{block.text}</Markdown>
        </Titled>
      );
    default:
      return (
        <Text size="sm" c="dimmed">
          This version of the page does not know one of the blocks of this view.
        </Text>
      );
  }
}

interface TitledProps {
  title: string | null | undefined;
  isFramed?: boolean;
  children: ReactNode;
}

function Titled({ title, isFramed = false, children }: TitledProps) {
  return (
    <section aria-label={title ?? undefined}>
      {title && (
        <Title order={2} mb="xs">
          {title}
        </Title>
      )}
      {isFramed ? (
        <Paper withBorder radius="lg" p="md">
          {children}
        </Paper>
      ) : (
        children
      )}
    </section>
  );
}

interface WithCriteriaSetProps {
  /** Absent: the one whose score the type features, else its default set. */
  slug: string | null | undefined;
  entityType: EntityType;
  children: (set: CriteriaSet) => ReactNode;
}

function WithCriteriaSet({ slug, entityType, children }: WithCriteriaSetProps) {
  const featured = useCriteriaSet(slug ? undefined : featuredSetId(entityType));
  const needsName = slug || featured.isError || featuredSetId(entityType) === undefined;
  const named = useCriteriaSetOfType(entityType.slug, needsName ? slug || `default-${entityType.slug}` : undefined);
  const { data: set, isPending, error, refetch } = needsName ? named : featured;
  if (isPending) return <LoadingRows label={BLOCK_LABEL["response-form"].toLowerCase()} rows={1} />;
  if (set === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (set) return children(set);
  return (
    <Text size="sm" c="dimmed">
      {slug
        ? `The criteria set “${slug}” is not there for records of type ${entityType.name}.`
        : "This type has no criteria set."}
    </Text>
  );
}
