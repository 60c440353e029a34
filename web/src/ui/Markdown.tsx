import { Anchor, Blockquote, Code, Divider, List, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Markdown.module.css";
import { type Inline, type ListBlock, type MarkdownBlock, parseMarkdown } from "./parseMarkdown";
import type { Table as TableBlock } from "./parseTable";

/** Text with the Markdown that notes and answers use; anything unknown stays as it was written, and nothing is loaded. */
export function Markdown({ children }: { children: string }) {
  return (
    <Stack gap="xs">
      {parseMarkdown(children).map((block, place) => (
        // A text has no other identity than its order.
        <Block key={place} block={block} />
      ))}
    </Stack>
  );
}

function Block({ block }: { block: MarkdownBlock }) {
  switch (block.type) {
    case "heading":
      return (
        <Text fw={620} size="md" dir="auto">
          <Inlines nodes={block.children} />
        </Text>
      );
    case "paragraph":
      return (
        <Text size="sm" dir="auto" className={classes.paragraph}>
          <Inlines nodes={block.children} />
        </Text>
      );
    case "quote":
      return (
        <Blockquote p="sm" color="gray" fz="sm" dir="auto" className={classes.paragraph}>
          <Inlines nodes={block.children} />
        </Blockquote>
      );
    case "code":
      return (
        <Code block dir="ltr" className={classes.code} data-language={block.language}>
          {block.text}
        </Code>
      );
    case "list":
      return <Items block={block} />;
    case "table":
      return <Cells block={block} />;
    case "rule":
      return <Divider my={4} />;
  }
}

function Items({ block }: { block: ListBlock }) {
  return (
    <List
      size="sm"
      spacing={4}
      type={block.ordered ? "ordered" : "unordered"}
      {...(block.start ? { start: block.start } : {})}
      dir="auto"
      className={classes.paragraph}
    >
      {block.items.map((item, place) => (
        <List.Item key={place}>
          <Inlines nodes={item.children} />
          {item.list && <Items block={item.list} />}
        </List.Item>
      ))}
    </List>
  );
}

/** As wide as it is: on a phone it is moved by itself, also by keyboard. */
function Cells({ block: { align, head, rows } }: { block: TableBlock }) {
  const alignOf = (column: number) => ({ textAlign: align[column] ?? ("start" as const) });
  return (
    <div className={classes.table} tabIndex={0} role="group" aria-label="Table">
      <Table withTableBorder withColumnBorders verticalSpacing={4} horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {head.map((cell, column) => (
              <Table.Th key={column} scope="col" dir="auto" style={alignOf(column)}>
                <Inlines nodes={cell} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((cells, place) => (
            <Table.Tr key={place}>
              {cells.map((cell, column) => (
                <Table.Td key={column} dir="auto" style={alignOf(column)}>
                  <Inlines nodes={cell} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Inlines({ nodes }: { nodes: readonly Inline[] }) {
  return nodes.map((node, place) => <InlineNode key={place} node={node} />);
}

function InlineNode({ node }: { node: Inline }) {
  switch (node.type) {
    case "text":
      return node.text;
    case "code":
      return <Code>{node.text}</Code>;
    case "strong":
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      );
    case "link":
      return (
        <Outward href={node.href}>
          <Inlines nodes={node.children} />
        </Outward>
      );
    case "image":
      return <Outward href={node.href}>{node.alt ? `Image: ${node.alt}` : "Image"}</Outward>;
  }
}

/** To a page of somebody else's, who learns nothing of where one comes from. */
function Outward({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} title={href} inherit target="_blank" rel="noopener noreferrer nofollow" td="underline">
      {children}
    </Anchor>
  );
}
