import { Anchor, Badge, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Chain, ChainEdge, ChainNode } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { RelativeTime } from "@/ui/RelativeTime";
import { KIND, RELATION, countOf, counted, nameOf, stateText, unusedText } from "../lib/words";
import { NodeLink } from "./NodeLink";
import classes from "./chain.module.css";

interface ChainListProps {
  chain: Chain;
}

/** The same as the picture, in words: layer by layer, each with how it is joined. */
export function ChainList({ chain }: ChainListProps) {
  const titles = new Map(chain.nodes.map((node) => [node.ref, node]));
  const depths = [...new Set(chain.nodes.map(({ depth }) => depth))];
  return depths.map((depth) => {
    const nodes = chain.nodes.filter((node) => node.depth === depth);
    return (
      <section key={depth} className={classes.layer} aria-label={layerName(depth)}>
        <Title order={2} size="h4">
          {layerName(depth)}
        </Title>
        <ul className={classes.rows}>
          {nodes.map((node) => (
            <li key={node.ref} className={classes.row}>
              <Badge color={KIND[node.kind].color}>{KIND[node.kind].label}</Badge>
              <div className={classes.words}>
                <NodeLink node={node} />
                {node.retraction_id && <span className={classes.retracted}> Retracted</span>}
                <Text size="xs" c="dimmed" component="div">
                  {node.detail && <div dir="auto">{node.detail}</div>}
                  <Joined node={node} edges={chain.edges} nodes={titles} />
                  {node.unused_sessions > 0 && <div>{unusedText(node.unused_sessions)}</div>}
                  {node.more && <div>It leads to more than is shown.</div>}
                </Text>
              </div>
              <Text size="xs" c="dimmed" component="div">
                {[node.state && stateText(node.state), node.by && partyName(node.by)].filter(Boolean).join(", ")}
                {node.at && (
                  <>
                    {" "}
                    <RelativeTime value={node.at} />
                  </>
                )}
              </Text>
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

function layerName(depth: number): string {
  return depth === 0 ? "From here" : `${countOf(depth, "step")} away`;
}

const JOINS_SHOWN = 3; // the rest is in the picture

interface JoinedProps {
  node: ChainNode;
  edges: readonly ChainEdge[];
  nodes: ReadonlyMap<string, ChainNode>;
}

/** How it is joined with what is nearer. */
function Joined({ node, edges, nodes }: JoinedProps) {
  const joins = edges.flatMap(({ source, target, relation }) => {
    const other = source === node.ref ? target : target === node.ref ? source : null;
    const there = other === null ? undefined : nodes.get(other);
    if (!there || there.depth >= node.depth) return [];
    const [first, second] = source === node.ref ? ["this", nameOf(there)] : [nameOf(there), "this"];
    return [`${first} ${RELATION[relation]} ${second}`];
  });
  const sentences = counted(joins);
  if (sentences.length === 0) return null;
  const more = sentences.length - JOINS_SHOWN;
  return (
    <div dir="auto">
      {sentences.slice(0, JOINS_SHOWN).join("; ")}
      {more > 0 && `; and ${more} more`}
    </div>
  );
}

export function StartLinks({ node }: { node: ChainNode }) {
  return (
    <>
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/chain" search={(old) => ({ from: node.ref, view: old.view })} {...props} />}>
        What it rests on
      </Anchor>
      <Anchor
        size="sm"
        underline="always"
        renderRoot={(props) => <Link to="/chain" search={(old) => ({ from: node.ref, direction: "forward", view: old.view })} {...props} />}
      >
        What rests on it
      </Anchor>
    </>
  );
}
