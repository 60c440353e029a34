import { Anchor, Group } from "@mantine/core";
import { ArrowLeftIcon } from "@radix-ui/react-icons";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface BackLinkProps {
  to: NonNullable<LinkProps["to"]>;
  /** Which thing, where it is not a list. */
  params?: LinkProps["params"];
  /** How the list was looked at. */
  search?: LinkProps["search"];
  children: ReactNode;
}

/** From one thing to the list it is in. */
export function BackLink({ to, params, search, children }: BackLinkProps) {
  return (
    <Anchor size="sm" c="dimmed" display="inline-block" mb={6} renderRoot={(props) => <Link to={to} {...(params ? { params } : {})} {...(search ? { search } : {})} {...props} />}>
      <Group gap={5} wrap="nowrap">
        <ArrowLeftIcon aria-hidden />
        {children}
      </Group>
    </Anchor>
  );
}
