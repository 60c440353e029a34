import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ClaimSource, CriteriaSet } from "@/api/types";
import { formatValue, isEmpty } from "@/features/entities/lib/values";
import { humanize } from "@/features/entity_types/lib/fields";
import { commonScale, formatQuality } from "../lib/claims";
import { QualityMeter } from "./QualityMeter";
import classes from "./claims.module.css";

interface ClaimSourceRowProps {
  source: ClaimSource;
  set: CriteriaSet | null | undefined;
}

/** A source with the rating of it that counts. */
export function ClaimSourceRow({ source, set }: ClaimSourceRowProps) {
  const { id, title, quality, response_id, ratings } = source;
  return (
    <li className={classes.row}>
      <div>
        <Anchor
          size="sm"
          fw={550}
          style={{ overflowWrap: "anywhere" }}
          renderRoot={(props) => <Link to="/records/$id" params={{ id }} {...props} />}
        >
          {title}
        </Anchor>
        {response_id ? (
          <>
            <Ratings ratings={ratings} set={set} />
            <Anchor
              size="xs"
              c="dimmed"
              underline="always"
              aria-label={`The response that counts for ${title}`}
              renderRoot={(props) => (
                <Link to="/records/$id" params={{ id }} search={{ tab: "responses", response: response_id }} {...props} />
              )}
            >
              The response that counts
            </Anchor>
          </>
        ) : (
          <div className={classes.words}>
            No promoted rating: counts as a source, does not weigh.{" "}
            <Anchor
              size="xs"
              c="dimmed"
              underline="always"
              aria-label={`Responses to ${title}`}
              renderRoot={(props) => (
                <Link to="/records/$id" params={{ id }} search={{ tab: "responses" }} {...props} />
              )}
            >
              See its responses
            </Anchor>
          </div>
        )}
      </div>
      {quality === null ? (
        <Text size="xs" c="dimmed" className={classes.none}>
          Not rated
        </Text>
      ) : (
        <QualityMeter quality={quality} scale={commonScale(set)} />
      )}
    </li>
  );
}

interface RatingsProps {
  ratings: Record<string, unknown>;
  set: CriteriaSet | null | undefined;
}

/** In the order of the set; what it no longer asks comes last. Numbers side by side, words beneath. */
function Ratings({ ratings, set }: RatingsProps) {
  const asked = set?.dimensions ?? [];
  const order = [...asked.map(({ key }) => key), ...Object.keys(ratings)];
  const said = [...new Set(order)].filter((key) => !isEmpty(ratings[key]));
  const label = (key: string) => asked.find((dimension) => dimension.key === key)?.label ?? humanize(key);
  return (
    <>
      <ul className={classes.ratings} aria-label="Ratings">
        {said.map((key) => {
          const value = ratings[key];
          return typeof value === "number" ? (
            <li key={key}>
              {label(key)} <b>{formatQuality(value)}</b>
            </li>
          ) : null;
        })}
      </ul>
      {said
        .filter((key) => typeof ratings[key] !== "number")
        .map((key) => (
          <div key={key} className={classes.said}>{`${label(key)}: ${formatValue(ratings[key])}`}</div>
        ))}
    </>
  );
}
