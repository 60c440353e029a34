import { Anchor } from "@mantine/core";
import { ExternalLinkIcon } from "@radix-ui/react-icons";
import { useNavigate } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";
import type { ChainNode } from "@/api/types";
import { titleOf } from "../lib/words";

export function isElsewhere(href: string): boolean {
  return /^https?:\/\//i.test(href);
}

interface PageLinkProps {
  href: string;
  children: ReactNode;
}

/** To a page whose address the server says: one of ours, or one of the web in a tab of its own. */
export function PageLink({ href, children }: PageLinkProps) {
  const navigate = useNavigate();
  if (isElsewhere(href)) {
    return (
      <Anchor size="sm" underline="always" href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}{" "}
        <ExternalLinkIcon width={11} height={11} role="img" aria-label="opens in a new tab" />
      </Anchor>
    );
  }
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void navigate({ href });
  };
  return (
    <Anchor size="sm" underline="always" href={href} onClick={follow}>
      {children}
    </Anchor>
  );
}

/** What a node is called, and the way to its page where it has one. */
export function NodeLink({ node }: { node: Pick<ChainNode, "ref" | "kind" | "seen" | "title" | "href"> }) {
  const title = <span dir="auto">{titleOf(node)}</span>;
  return node.href ? <PageLink href={node.href}>{title}</PageLink> : title;
}
