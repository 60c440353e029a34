import { Anchor } from "@mantine/core";
import { useState } from "react";
import { Markdown } from "@/ui/Markdown";
import classes from "./conversations.module.css";

const SHOWN = 3000; // characters, about a screen
const MOST_FORMATTED = 20_000; // characters; of more than that a browser would make too many elements

interface LongTextProps {
  text: string;
  shown?: number;
  /** To the letter, without reading Markdown. */
  asWritten?: boolean;
}

/** What was said; a very long text is opened on demand. */
export function LongText({ text, shown = SHOWN, asWritten = false }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  const long = text.length > shown * 1.2; // nobody is asked to open the last few words
  const part = long && !whole ? `${text.slice(0, shown).trimEnd()}…` : text;
  return (
    <div className={classes.said}>
      {asWritten || part.length > MOST_FORMATTED ? (
        <div className={classes.written} dir="auto">
          {part}
        </div>
      ) : (
        <Markdown>{part}</Markdown>
      )}
      {long && (
        <Anchor component="button" type="button" size="sm" underline="always" mt={6} onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : "Show all"}
        </Anchor>
      )}
    </div>
  );
}
