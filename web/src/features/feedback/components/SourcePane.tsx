import { Anchor, Badge, Button, Code, Collapse, Group, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import type { FeedbackDetail } from "@/api/types";
import { ChainLinks } from "@/features/entities/components/ChainLinks";
import { partyName } from "@/features/entities/lib/provenance";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { Loaded } from "@/ui/Loaded";
import { RelativeTime } from "@/ui/RelativeTime";
import { useFeedbackDetail } from "../hooks/useFeedback";
import { contextOf, qualityText, wordsOf } from "../lib/context";
import { RATING_LOOK, SOURCE_LABEL, authorOf } from "../lib/words";
import { BackButton } from "./BackButton";
import { RatingIcon } from "./RatingIcon";
import { RerunLine } from "./RerunLine";
import { ResponseInPlace } from "./ResponseInPlace";
import { SessionInPlace } from "./SessionInPlace";
import { StatusBadge } from "./StatusBadge";
import { TakeBackButton } from "./TakeBackButton";
import { TurnInPlace } from "./TurnInPlace";
import classes from "./feedback.module.css";

interface SourcePaneProps {
  id: string;
  /** Where one came from, where panes are shown one after the other. */
  back: { label: string; onBack: () => void };
}

/** All that was said, and what it was said about, in its place. */
export function SourcePane({ id, back }: SourcePaneProps) {
  const query = useFeedbackDetail(id);
  return (
    <>
      <BackButton onClick={back.onBack}>{back.label}</BackButton>
      <div className={classes.source}>
        <Loaded query={query} what="this feedback">
          {(detail) => <Shown detail={detail} />}
        </Loaded>
      </div>
    </>
  );
}

function Shown({ detail }: { detail: FeedbackDetail }) {
  const { userId } = useTenant();
  const context = contextOf(detail);
  const quality = qualityText(context);
  const { turn, record, response, session } = detail.about;
  return (
    <>
      <Group gap={8} align="center">
        <RatingIcon rating={detail.rating} />
        <Title order={3} size="h2">
          {SOURCE_LABEL[detail.source_type]}
        </Title>
        <StatusBadge status={detail.status} />
        {context.origin === "machine" && <Badge color="gray">Read by machine</Badge>}
        {context.imported_from && <Badge color="gray">From {context.imported_from}</Badge>}
        {detail.created_by === userId && detail.status === "pending" && <TakeBackButton id={detail.id} />}
      </Group>
      <ChainLinks of={`feedback:${detail.id}`} name="this feedback" />
      <Text size="xs" c="dimmed" mt={2}>
        <bdi>{authorOf(detail)}</bdi>, <RelativeTime value={detail.created_at} /> · {RATING_LOOK[detail.rating].label.toLowerCase()}
      </Text>
      <blockquote className={classes.quote} dir="auto" data-none={detail.comment === null || undefined}>
        {wordsOf(detail)}
      </blockquote>
      {detail.status !== "pending" && <Reviewed detail={detail} />}
      {quality && (
        <Text size="sm" mt="xs">
          How far it can be acted on: {quality}.
        </Text>
      )}
      {context.rerun && record && <RerunLine rerun={context.rerun} entityId={record.id} />}
      {turn && <TurnInPlace turn={turn} />}
      {response && record && (
        <ResponseInPlace response={response} record={record} field={context.field_name} rejected={detail.context.rejected_value} />
      )}
      {record && !response && (
        <Text size="sm" mt="md">
          About the record <RecordAnchor id={record.id}>{record.title}</RecordAnchor>
        </Text>
      )}
      {session && <SessionInPlace session={session} isMain={!turn && !response} />}
      {context.tool_slug && (
        <Text size="sm" mt="md">
          About the tool <Code>{context.tool_slug}</Code>
        </Text>
      )}
      <Details context={detail.context} />
    </>
  );
}

function RecordAnchor({ id, children }: { id: string; children: string }) {
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/records/$id" params={{ id }} {...props} />}>
      <bdi>{children}</bdi>
    </Anchor>
  );
}

function Reviewed({ detail: { reviewer, reviewed_at, review_notes } }: { detail: FeedbackDetail }) {
  return (
    <div className={classes.reviewed}>
      <Text size="xs" c="dimmed">
        {partyName(reviewer)}, <RelativeTime value={reviewed_at} />
      </Text>
      {review_notes && (
        <Text size="sm" className={classes.words}>
          {review_notes}
        </Text>
      )}
    </div>
  );
}

/** Everything that came along, as it was sent. */
function Details({ context }: Pick<FeedbackDetail, "context">) {
  const [opened, { toggle }] = useDisclosure(false);
  if (Object.keys(context).length === 0) return null;
  return (
    <>
      <Button mt="md" size="compact-xs" variant="subtle" color="gray" aria-expanded={opened} onClick={toggle}>
        {opened ? "Hide details" : "Show details"}
      </Button>
      <Collapse expanded={opened}>
        {opened && (
          <Code block mt={6} tabIndex={0} role="region" aria-label="Details" className={classes.details}>
            {JSON.stringify(context, null, 2)}
          </Code>
        )}
      </Collapse>
    </>
  );
}
