import { Anchor, Button, Code } from "@mantine/core";
import { Link, getRouteApi, useNavigate } from "@tanstack/react-router";
import type { EntityType } from "@/api/types";
import { FeaturedScoreSelect } from "@/features/criteria/components/FeaturedScoreSelect";
import { EntityTypeEditor } from "@/features/entity_types/components/EntityTypeEditor";
import { EntityTypeReadOnly } from "@/features/entity_types/components/EntityTypeReadOnly";
import { useEntityType } from "@/features/entity_types/hooks/useEntityTypes";
import { useRemoveEntityType } from "@/features/entity_types/hooks/useRemoveEntityType";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { notifyDone } from "@/ui/notify";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/build/types/$slug");

export function EntityTypePage() {
  const { slug } = route.useParams();
  const query = useEntityType(slug);
  useTitle(query.data?.name ?? "Entity type", "Build");
  return (
    <>
      <BackLink to="/build/types">Entity types</BackLink>
      <Loaded query={query} what="the entity type">
        {(type) => <EntityTypeView key={type.id} type={type} />}
      </Loaded>
    </>
  );
}

function EntityTypeView({ type }: { type: EntityType }) {
  const go = useNavigate();
  const navigate = route.useNavigate();
  const { tab = "fields" } = route.useSearch();
  const canManage = useCan()("entity_types.team.manage");
  const remove = useRemoveEntityType(() => void go({ to: "/build/types" }));
  return (
    <>
      <PageHeader
        order={2}
        title={type.name}
        description={
          <>
            <Code>{type.slug}</Code>{" "}
            <Anchor inherit renderRoot={(props) => <Link to="/records" search={{ type: type.slug }} {...props} />}>
              Show its records
            </Anchor>
          </>
        }
        actions={
          canManage && (
            <Button variant="default" onClick={() => remove(type)}>
              Delete
            </Button>
          )
        }
      />
      {canManage ? (
        <EntityTypeEditor
          type={type}
          tab={tab}
          featuredScore={(chosen, onChoose) => (
            <FeaturedScoreSelect typeSlug={type.slug} value={chosen} onChange={onChoose} />
          )}
          onTab={(value) => void navigate({ search: value === "json" ? { tab: value } : {}, replace: true })}
          onSaved={({ name }) => notifyDone(`${name} was saved.`)}
        />
      ) : (
        <EntityTypeReadOnly type={type} />
      )}
    </>
  );
}
