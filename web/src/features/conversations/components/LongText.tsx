import { Anchor } from "@mantine/core";
import { useState } from "react";
import classes from "./conversations.module.css";

const SHOWN = 1500; // characters, about a screen of a phone

/** What was said, to the letter; a very long text is opened on demand. */
export function LongText({ text, shown = SHOWN }: { text: string; shown?: number }) {
  const [whole, setWhole] = useState(false);
  const long = text.length > shown * 1.2; // nobody is asked to open the last few words
  return (
    <div className={classes.said} dir="auto">
      {long && !whole ? `${text.slice(0, shown).trimEnd()}…` : text}
      {long && (
        <>
          {" "}
          <Anchor component="button" type="button" size="sm" underline="always" onClick={() => setWhole(!whole)}>
            {whole ? "Show less" : "Show all"}
          </Anchor>
        </>
      )}
    </div>
  );
}
