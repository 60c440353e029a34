import { Alert, Anchor, Badge, Button, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import * as v from "valibot";
import type { KnowledgeDetail } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { plural } from "@/features/feedback/lib/words";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { RelativeTime } from "@/ui/RelativeTime";
import type { KnowledgeDecisions } from "../hooks/useKnowledgeDecisions";
import { type Quote, mainOf, quotesOf, sourcesOf } from "../lib/quotes";
import { whyLost } from "../lib/words";
import classes from "./knowledge.module.css";

/** The quotes that it rests on: the unit of evidence. What counts no more is struck through, with why. */
export function SupportList({ row, decisions }: { row: KnowledgeDetail; decisions: KnowledgeDecisions }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <Title order={4} size="h3" id={heading}>
        What it rests on
        {row.support.length > 0 && (
          <Text span size="sm" c="dimmed" ml={8} fw={400}>
            {plural(row.origins, "origin")}
          </Text>
        )}
      </Title>
      {row.support.length === 0 && <Bare row={row} />}
      <ul className={classes.quotes}>
        {quotesOf(row.support).map((quote) => (
          <Quoted key={quote[0].feedback_id} row={row} quote={quote} decisions={decisions} />
        ))}
      </ul>
      {row.group_id && (
        <Anchor size="xs" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/feedback" search={{ group: row.group_id ?? undefined }} {...props} />}>
          The group of feedback
        </Anchor>
      )}
      <MeasuredOn row={row} />
    </section>
  );
}

/** Nothing said speaks for it: then a person does, or nobody. */
function Bare({ row: { standing, created_by } }: { row: KnowledgeDetail }) {
  if (standing === "support") {
    return (
      <Alert color="red" py={6} mt={6} role="note">
        Nothing supports it any more.
      </Alert>
    );
  }
  return (
    <Text size="sm" c="dimmed" mt={4}>
      No feedback; {partyName(created_by)} wrote it down, and a person stands for it.
    </Text>
  );
}

function Quoted({ row, quote, decisions }: { row: KnowledgeDetail; quote: Quote; decisions: KnowledgeDecisions }) {
  const mayReview = useCan()("feedback.team.review");
  const support = mainOf(quote);
  const lost = whyLost(support);
  const words = support.comment ?? "Without words";
  return (
    <li className={classes.quote} data-lost={lost !== null || undefined}>
      <blockquote dir="auto">{lost === null ? words : <del>{words}</del>}</blockquote>
      <Text size="xs" c="dimmed">
        <bdi>{support.end_user ?? partyName(support.author)}</bdi> · {sourcesOf(quote)} · <RelativeTime value={support.given_at ?? support.added_at} />
        {quote.some(({ medoid }) => medoid) && (
          <Badge component="span" size="xs" color="gray" ml={8} title="The one that is most like the others; a proposal has its words">
            Most like the others
          </Badge>
        )}
        {quote.some(({ flagged }) => flagged) && (
          <Badge component="span" size="xs" color="gray" ml={8} title="An administrator flagged it, which is enough by itself">
            Flagged
          </Badge>
        )}
      </Text>
      {lost && (
        <Text size="xs" c="orange" className={classes.lost}>
          {lost}
        </Text>
      )}
      <span className={classes.links}>
        <InPlace to={{ feedback: support.feedback_id }}>In place</InPlace>
        {support.session_id && (
          <Anchor size="xs" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id: support.session_id ?? "" }} {...props} />}>
            Session
          </Anchor>
        )}
        {support.entity_id && (
          <Anchor size="xs" underline="always" renderRoot={(props) => <Link to="/records/$id" params={{ id: support.entity_id ?? "" }} {...props} />}>
            Record
          </Anchor>
        )}
        {mayReview && support.lost === null && (
          <Button
            className={classes.act}
            size="compact-xs"
            variant="default"
            title="It counts no more; knowledge that rests on it is counted anew"
            disabled={decisions.isBusy}
            onClick={() => void decisions.dismissQuote(row, quote)}
          >
            Dismiss
          </Button>
        )}
        {mayReview && support.lost === "dismissed" && (
          <Button className={classes.act} size="compact-xs" variant="default" disabled={decisions.isBusy} onClick={() => void decisions.restoreQuote(row, quote)}>
            Restore
          </Button>
        )}
      </span>
    </li>
  );
}

function InPlace({ to, children }: { to: { feedback: string }; children: string }) {
  return (
    <Anchor size="xs" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/feedback/all" search={to} {...props} />}>
      {children}
    </Anchor>
  );
}

const Evidence = v.object({
  evidence: v.object({ targeted: v.object({ sessions: v.array(v.string()), goldens: v.array(v.string()) }), measured: v.boolean() }),
});

/** What would show whether it helps; nobody has measured it yet. */
function MeasuredOn({ row }: { row: KnowledgeDetail }) {
  const parsed = v.safeParse(Evidence, row.metadata);
  if (!parsed.success || row.value !== null) return null;
  const { sessions, goldens } = parsed.output.evidence.targeted;
  return (
    <Text size="xs" c="dimmed" mt={8}>
      Unmeasured. It would be measured on {plural(sessions.length, "session")} and {plural(goldens.length, "golden")} that it comes from, and on the goldens in
      its scope that it must not break.
    </Text>
  );
}
