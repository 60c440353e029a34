import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { FeedbackDetail } from "@/api/types";
import { shortValue } from "@/features/entities/lib/values";
import { PlaceHead } from "./PlaceHead";
import classes from "./feedback.module.css";

interface ResponseInPlaceProps {
  response: NonNullable<FeedbackDetail["about"]["response"]>;
  record: NonNullable<FeedbackDetail["about"]["record"]>;
  /** The field that is meant, and the value that was rejected. */
  field: string | undefined;
  rejected: unknown;
}

/** What was proposed for the record, with the field that is meant first. */
export function ResponseInPlace({ response, record, field, rejected }: ResponseInPlaceProps) {
  const others = Object.entries(response.values).filter(([key]) => key !== field);
  return (
    <section className={classes.place} aria-label="The response">
      <PlaceHead title="In the response">
        <Anchor
          size="xs"
          underline="always"
          renderRoot={(props) => (
            <Link to="/records/$id" params={{ id: record.id }} search={{ tab: "responses", response: response.id }} {...props} />
          )}
        >
          <bdi>{record.title}</bdi>
        </Anchor>
      </PlaceHead>
      <dl className={classes.values}>
        {field && (
          <div data-meant>
            <dt>{field}</dt>
            <dd>{shortValue(rejected ?? response.values[field])}</dd>
          </div>
        )}
        {others.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{shortValue(value)}</dd>
          </div>
        ))}
      </dl>
      {response.review_notes && (
        <Text size="xs" c="dimmed" className={classes.words} mt={6}>
          Notes of the review: {response.review_notes}
        </Text>
      )}
    </section>
  );
}
