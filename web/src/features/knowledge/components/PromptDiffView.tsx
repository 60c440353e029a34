import { Alert, Text } from "@mantine/core";
import { useId } from "react";
import type { KnowledgePreview } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { usePreview } from "../hooks/useKnowledge";
import type { Scopes } from "../hooks/useScopes";
import { type Alike, alikeScopes, cacheText, changeText, changedScopes, tokensText } from "../lib/diff";
import classes from "./knowledge.module.css";

interface PromptDiffViewProps {
  id: string;
  preview: KnowledgePreview;
  scopes: Scopes;
}

/** What a change does to prompts, before it is made: the lines that come and go in each scope, tokens and caches. */
export function PromptDiffView({ id, preview, scopes }: PromptDiffViewProps) {
  const query = usePreview(id, preview);
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classes.diff} aria-busy={query.isPlaceholderData || undefined}>
      <Text size="sm" fw={550} component="h3" id={heading} m={0}>
        What this does to prompts
      </Text>
      <Loaded query={query} what="what this does to prompts">
        {(change) => (
          <>
            <Text size="sm" c="dimmed" role="status">
              {changeText(change)}
            </Text>
            {preview.state === "active" && change.state === "active" && changedScopes(change).length === 0 && (
              <Alert color="gray" py={6} mt={6} role="note">
                It is active then, and too many others of its type rank higher, or it is in these prompts already.
              </Alert>
            )}
            {alikeScopes(change).map((alike) => (
              <Lines key={`${alike[0].agent_id} ${alike[0].entity_type_id}`} alike={alike} scopes={scopes} />
            ))}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** The same lines in some scopes, and what that comes to in each. */
function Lines({ alike, scopes }: { alike: Alike; scopes: Scopes }) {
  const { removed, added } = alike[0];
  return (
    <div className={classes.scopeDiff}>
      <ul className={classes.lines} aria-label="Lines that come and go">
        {removed.map((line, place) => (
          <li key={`- ${place}`} data-sign="−">
            <del>{line || "\u00a0"}</del>
          </li>
        ))}
        {added.map((line, place) => (
          <li key={`+ ${place}`} data-sign="+">
            <ins>{line || "\u00a0"}</ins>
          </li>
        ))}
      </ul>
      <ul className={classes.scopesOf} aria-label="In prompts">
        {alike.map((scope) => (
          <li key={`${scope.agent_id} ${scope.entity_type_id}`}>
            <Text size="xs" fw={550}>
              {scopes.promptsOf(scope)}
            </Text>
            <Text size="xs" c="dimmed">
              {tokensText(scope)} · {cacheText(scope.first_changed_line)}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
}
