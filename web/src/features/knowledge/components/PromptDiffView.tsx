import { Alert, Text } from "@mantine/core";
import { useId } from "react";
import type { KnowledgePreview, ScopeDiff } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { usePreview } from "../hooks/useKnowledge";
import type { Scopes } from "../hooks/useScopes";
import { cacheText, changeText, changedScopes, tokensText } from "../lib/diff";
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
            {changedScopes(change).map((scope) => (
              <ScopeLines key={`${scope.agent_id} ${scope.entity_type_id}`} scope={scope} where={scopes.inWords(scope)} />
            ))}
          </>
        )}
      </Loaded>
    </section>
  );
}

function ScopeLines({ scope, where }: { scope: ScopeDiff; where: string }) {
  return (
    <div className={classes.scopeDiff} role="group" aria-label={`Prompts ${where}`}>
      <div className={classes.scopeHead}>
        <Text size="xs" fw={600}>
          Prompts {where}
        </Text>
        <Text size="xs" c="dimmed">
          {tokensText(scope)}
        </Text>
      </div>
      <ul className={classes.lines}>
        {scope.removed.map((line, place) => (
          <li key={`- ${place}`} data-sign="−">
            <del>{line || "\u00a0"}</del>
          </li>
        ))}
        {scope.added.map((line, place) => (
          <li key={`+ ${place}`} data-sign="+">
            <ins>{line || "\u00a0"}</ins>
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed" px={10} pb={6}>
        {cacheText(scope.first_changed_line)}
      </Text>
    </div>
  );
}
