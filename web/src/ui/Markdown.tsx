import { Anchor, Blockquote, Code, List, Stack, Text } from "@mantine/core";
import { type Inline, type MarkdownBlock, parseMarkdown } from "./parseMarkdown";

/** Text with the Markdown that notes use; anything unknown stays as it was written. */
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
        <Text fw={620} size="md">
          <Inlines nodes={block.children} />
        </Text>
      );
    case "paragraph":
      return (
        <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
          <Inlines nodes={block.children} />
        </Text>
      );
    case "quote":
      return (
        <Blockquote p="sm" color="gray" fz="sm">
          <Inlines nodes={block.children} />
        </Blockquote>
      );
    case "code":
      return (
        <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {block.text}
        </Code>
      );
    case "list":
      return (
        <List size="sm" spacing={4} type={block.ordered ? "ordered" : "unordered"}>
          {block.items.map((item, place) => (
            <List.Item key={place}>
              <Inlines nodes={item} />
            </List.Item>
          ))}
        </List>
      );
  }
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
        <Anchor href={node.href} inherit target="_blank" rel="noreferrer" td="underline">
          <Inlines nodes={node.children} />
        </Anchor>
      );
  }
}
