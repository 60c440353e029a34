import { SegmentedControl, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { ItemList } from "@/features/chain/components/ItemList";
import { RetractionList } from "@/features/chain/components/RetractionList";
import classes from "@/features/chain/components/chain.module.css";
import { BackLink } from "@/ui/BackLink";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/chain/retractions");

export function RetractionsPage() {
  useTitle("To look at again");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <BackLink to="/tasks">Tasks</BackLink>
      <PageHeader
        title="To look at again"
        description="What rests on something that somebody retracted. Nothing changes by itself: look at each, and say what became of it."
      />
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label="Which"
          value={search.show ?? "waiting"}
          onChange={(show) => void navigate({ search: { ...search, show: show === "all" ? "all" : undefined }, replace: true })}
          data={[
            { value: "waiting", label: "Waiting" },
            { value: "all", label: "All" },
          ]}
        />
      </div>
      <ItemList search={search} onItem={(item) => void navigate({ search: { ...search, item }, replace: true })} />
      <Title order={2} size="h3" mt="xl">
        Retractions
      </Title>
      <RetractionList />
    </>
  );
}
