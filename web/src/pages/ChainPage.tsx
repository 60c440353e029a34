import { Anchor, SegmentedControl, Text } from "@mantine/core";
import { Link, getRouteApi } from "@tanstack/react-router";
import type { Chain, ChainNode } from "@/api/types";
import { ChainList } from "@/features/chain/components/ChainList";
import { ChainPicture } from "@/features/chain/components/ChainPicture";
import { isElsewhere } from "@/features/chain/components/NodeLink";
import { NodePanel } from "@/features/chain/components/NodePanel";
import classes from "@/features/chain/components/chain.module.css";
import { useChain } from "@/features/chain/hooks/useChain";
import type { ChainSearch } from "@/features/chain/lib/search";
import { chainText, titleOf } from "@/features/chain/lib/words";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/chain");

export function ChainPage() {
  const search = route.useSearch();
  const query = useChain(search);
  const start = query.data?.nodes[0];
  useTitle(start ? titleOf(start) : "Chain", "Chain");
  const isForward = search.direction === "forward";
  return (
    <>
      <PageHeader
        title={isForward ? "What rests on it" : "What it rests on"}
        description={start && <span dir="auto">{titleOf(start)}</span>}
        actions={
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/chain/retractions" {...props} />}>
            Retractions
          </Anchor>
        }
      />
      {search.from === undefined ? (
        <EmptyState title="Nothing to start from">Open a value, a response, a session or a lesson, and follow the link to what it rests on.</EmptyState>
      ) : (
        <Loaded query={query} what="the chain">
          {(chain) => <Shown key={`${chain.start} ${chain.direction}`} chain={chain} search={search} />}
        </Loaded>
      )}
    </>
  );
}

function Shown({ chain, search }: { chain: Chain; search: ChainSearch }) {
  const navigate = route.useNavigate();
  const go = (changes: ChainSearch) => void navigate({ search: { ...search, ...changes }, replace: true });
  const open = ({ href }: ChainNode) => {
    if (!href) return;
    if (isElsewhere(href)) window.open(href, "_blank", "noopener,noreferrer");
    else void navigate({ href });
  };
  const chosen = chain.nodes.find(({ ref }) => ref === search.node) ?? chain.nodes[0];
  return (
    <>
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label="Direction"
          value={chain.direction}
          onChange={(direction) => go({ direction: direction === "forward" ? "forward" : undefined, node: undefined })}
          data={[
            { value: "back", label: "What it rests on" },
            { value: "forward", label: "What rests on it" },
          ]}
        />
        <SegmentedControl
          size="xs"
          aria-label="View"
          value={search.view ?? "picture"}
          onChange={(view) => go({ view: view === "list" ? "list" : undefined })}
          data={[
            { value: "picture", label: "Picture" },
            { value: "list", label: "List" },
          ]}
        />
        <Text size="xs" c="dimmed" role="status">
          {chainText(chain)}
        </Text>
      </div>
      {search.view === "list" ? (
        <ChainList chain={chain} />
      ) : (
        <>
          <ChainPicture chain={chain} chosen={chosen?.ref ?? ""} onChoose={(node) => go({ node })} onOpen={open} />
          {chosen && <NodePanel node={chosen} start={chain.start} />}
        </>
      )}
    </>
  );
}
