import { Anchor, Group } from "@mantine/core";
import { ArrowLeftIcon } from "@radix-ui/react-icons";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface BackLinkProps {
  to: NonNullable<LinkProps["to"]>;
  children: ReactNode;
}

/** From one thing to the list it is in. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <Anchor size="sm" c="dimmed" display="inline-block" mb={6} renderRoot={(props) => <Link to={to} {...props} />}>
      <Group gap={5} wrap="nowrap">
        <ArrowLeftIcon aria-hidden />
        {children}
      </Group>
    </Anchor>
  );
}
