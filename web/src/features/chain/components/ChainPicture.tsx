import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Chain, ChainNode } from "@/api/types";
import { type Arrow, NODE, type Picture, draw, neighboursOf, outOfSight, step } from "../lib/layers";
import { KIND, countOf, titleOf } from "../lib/words";
import classes from "./chain.module.css";

const ARROWS: readonly string[] = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"] satisfies Arrow[];

interface ChainPictureProps {
  chain: Chain;
  /** The node that is shown closer, by ref. */
  chosen: string;
  onChoose: (ref: string) => void;
  onOpen: (node: ChainNode) => void;
}

/** Layers from left to right. One node is in the order of tabs; arrows go along the lines, Enter opens. */
export function ChainPicture({ chain, chosen, onChoose, onOpen }: ChainPictureProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const picture = useMemo(() => draw(chain, open), [chain, open]);
  const joined = useMemo(() => neighboursOf(chain), [chain]);
  const canvas = useRef<HTMLDivElement>(null);
  const isMoving = useRef(false);
  const { window, out, look } = useWindow(picture);
  const at = picture.placed.some(({ node }) => node.ref === chosen) ? chosen : (picture.placed[0]?.node.ref ?? "");

  const isFirst = useRef(true);
  useEffect(() => {
    const [opens, moves] = [isFirst.current, isMoving.current];
    [isFirst.current, isMoving.current] = [false, false];
    if (!opens && !moves) return;
    const nodes = [...(canvas.current?.querySelectorAll<HTMLElement>("[data-ref]") ?? [])];
    const element = nodes.find(({ dataset }) => dataset.ref === at);
    if (moves) element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [at]);

  const onKeyDown = (event: KeyboardEvent, node: ChainNode) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      return onOpen(node);
    }
    if (!ARROWS.includes(event.key)) return;
    event.preventDefault();
    isMoving.current = true;
    onChoose(step(picture.placed, joined, node.ref, event.key as Arrow));
  };

  return (
    <div className={classes.frame}>
      <div ref={window} className={classes.window} role="group" aria-label="The chain as a picture">
        <div ref={canvas} className={classes.canvas} style={{ width: picture.width, height: picture.height }}>
          <svg className={classes.lines} width={picture.width} height={picture.height} aria-hidden>
            {picture.lines.map(({ key, path, ends }) => (
              <path key={key} className={classes.line} d={path} {...(ends.includes(at) ? { "data-near": "" } : {})} />
            ))}
          </svg>
          {picture.heads.map(({ depth, x }) => (
            <span key={depth} className={classes.head} style={{ left: x }}>
              {depth === 0 ? "From here" : countOf(depth, "step")}
            </span>
          ))}
          {picture.placed.map(({ node, x, y }) => (
            <button
              key={node.ref}
              type="button"
              className={classes.node}
              data-ref={node.ref}
              aria-pressed={node.ref === at}
              tabIndex={node.ref === at ? 0 : -1}
              title={titleOf(node)}
              style={{ left: x, top: y, width: NODE.width, height: NODE.height, ["--kind" as string]: `var(--mantine-color-${KIND[node.kind].color}-outline)` }}
              {...(node.seen === "shown" ? {} : { "data-unseen": "" })}
              onClick={() => onChoose(node.ref)}
              onDoubleClick={() => onOpen(node)}
              onKeyDown={(event) => onKeyDown(event, node)}
            >
              <NodeText node={node} />
            </button>
          ))}
          {picture.folds.map(({ depth, count, x, y }) => (
            <button
              key={depth}
              type="button"
              className={classes.fold}
              style={{ left: x, top: y, width: NODE.width, height: NODE.height }}
              onClick={() => setOpen(new Set([...open, depth]))}
            >
              and {count.toLocaleString("en")} more
            </button>
          ))}
        </div>
      </div>
      {out.before > 0 && <Further className={classes.before} words={`← ${countOf(out.before, "step")} more`} onClick={() => look(-1)} />}
      {out.after > 0 && <Further className={classes.after} words={`${countOf(out.after, "step")} more →`} onClick={() => look(1)} />}
    </div>
  );
}

/** The window that the picture is looked at through, how many layers are out of its sight, and a way to move it by what it shows. */
function useWindow(picture: Picture) {
  const window = useRef<HTMLDivElement>(null);
  const [out, setOut] = useState({ before: 0, after: 0 });
  useLayoutEffect(() => {
    const element = window.current;
    if (!element) return;
    const measure = () => {
      const found = element.clientWidth === 0 ? { before: 0, after: 0 } : outOfSight(picture, element.scrollLeft, element.clientWidth);
      setOut((old) => (old.before === found.before && old.after === found.after ? old : found));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [picture]);
  const look = (direction: 1 | -1) => {
    const element = window.current;
    element?.scrollBy({ left: direction * Math.max(NODE.width, element.clientWidth - NODE.width) });
  };
  return { window, out, look };
}

/** For a pointer; by keyboard, arrows go there. */
function Further({ className, words, onClick }: { className: string | undefined; words: string; onClick: () => void }) {
  return (
    <button type="button" className={`${classes.further} ${className}`} tabIndex={-1} onClick={onClick}>
      {words}
    </button>
  );
}

export function NodeText({ node }: { node: ChainNode }) {
  return (
    <>
      <span className={classes.kind}>
        {KIND[node.kind].label}
        {node.retraction_id && <span className={classes.retracted}>Retracted</span>}
        {node.more && <span>leads to more</span>}
        {!node.more && node.unused_sessions > 0 && <span>{node.unused_sessions.toLocaleString("en")} unused sessions</span>}
      </span>
      <span className={classes.title} dir="auto">
        {titleOf(node)}
      </span>
    </>
  );
}
