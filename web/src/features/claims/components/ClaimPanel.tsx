import { Code, Text, Title } from "@mantine/core";
import { useId } from "react";
import type { ClaimSource, ClaimSources, CriteriaSet, Entity } from "@/api/types";
import { useCriteriaSetOfType } from "@/features/criteria/hooks/useCriteriaSets";
import { PagedRows } from "@/ui/PagedRows";
import { useClaimSources } from "../hooks/useClaims";
import {
  type ClaimWords,
  carriedNumbers,
  commonScale,
  countSources,
  formatQuality,
  reckon,
} from "../lib/claims";
import { ClaimCounted } from "./ClaimCounted";
import { ClaimSourceRow } from "./ClaimSourceRow";
import { QualityBar } from "./QualityMeter";
import classes from "./claims.module.css";

interface ClaimPanelProps {
  entity: Entity;
  words: ClaimWords;
}

/** A claim's two numbers, where they come from, and the sources that they are counted from. */
export function ClaimPanel({ entity, words }: ClaimPanelProps) {
  const heading = useId();
  const sources = useClaimSources(entity.id);
  const { source_type, criteria_set } = words.settings;
  const set = useCriteriaSetOfType(source_type, criteria_set).data;
  const { query, rows } = sources;
  const all = query.hasNextPage ? undefined : rows;
  return (
    <section aria-labelledby={heading}>
      <Title order={2} mb="sm" id={heading}>
        What this rests on
      </Title>
      <div className={classes.panel}>
        <Numbers
          entity={entity}
          set={set}
          all={all}
          refused={query.data?.pages[0]?.refused ?? null}
          settled={!query.isFetching}
        />
        <Explanation words={words} set={set} all={all} />
        <div className={classes.rows}>
          <PagedRows list={sources} what="sources" empty={<NoSources words={words} />}>
            {(found) => (
              <ul className={classes.list} aria-label="Sources">
                {found.map((source) => (
                  <ClaimSourceRow key={source.id} source={source} set={set} />
                ))}
              </ul>
            )}
          </PagedRows>
        </div>
      </div>
    </section>
  );
}

interface NumbersProps {
  entity: Entity;
  set: CriteriaSet | null | undefined;
  /** All of the sources, once they are loaded. */
  all: readonly ClaimSource[] | undefined;
  refused: ClaimSources["refused"];
  /** Whether the sources are those of now. */
  settled: boolean;
}

function Numbers({ entity, set, all, refused, settled }: NumbersProps) {
  const carried = carriedNumbers(entity.content);
  const scale = commonScale(set);
  const found = all && countSources(all);
  return (
    <dl className={classes.numbers}>
      <div className={classes.number}>
        <dt className={classes.name}>Sources</dt>
        <dd className={classes.figure}>{carried.count ?? 0}</dd>
        {found && found.count > 0 && <dd className={classes.aside}>{`${found.rated} of ${found.count} rated`}</dd>}
      </div>
      <div className={classes.number}>
        <dt className={classes.name}>Average quality</dt>
        <dd className={classes.figure}>
          {carried.average === null ? (
            <span className={classes.of}>{carried.count ? "None of them is rated yet" : "Nothing to rate yet"}</span>
          ) : (
            <>
              {formatQuality(carried.average)}
              {scale && <span className={classes.of}>{` of ${scale[1]}`}</span>}
            </>
          )}
        </dd>
        {carried.average !== null && scale && (
          <dd style={{ margin: "6px 0 0", maxWidth: 280 }}>
            <QualityBar quality={carried.average} scale={scale} width="100%" />
          </dd>
        )}
        <dd className={classes.aside}>
          <ClaimCounted entity={entity} all={all} refused={refused} settled={settled} />
        </dd>
      </div>
    </dl>
  );
}

interface ExplanationProps {
  words: ClaimWords;
  set: CriteriaSet | null | undefined;
  all: readonly ClaimSource[] | undefined;
}

function Explanation({ words, set, all }: ExplanationProps) {
  const sum = all && reckon(all);
  const { criteria_set } = words.settings;
  return (
    <div className={classes.why}>
      <Text size="sm" c="dimmed">
        The average is the mean of the sources’ means. Each source counts once, with its newest response to{" "}
        {set ? set.name : <Code>{criteria_set}</Code>} that has a promoted value; one without it counts as a source, but
        does not weigh.
      </Text>
      {set === null && (
        <Text size="sm" mt={6} role="note">
          There is no criteria set <Code>{criteria_set}</Code> for these sources, so none of them can be rated.
        </Text>
      )}
      {set && !commonScale(set) && (
        <Text size="sm" c="dimmed" mt={6}>
          The dimensions of this set have different scales; the means are of the plain numbers.
        </Text>
      )}
      {sum && (
        <Text size="sm" className={classes.reckoning}>
          {sum}
        </Text>
      )}
    </div>
  );
}

function NoSources({ words }: { words: ClaimWords }) {
  return (
    <Text size="sm" c="dimmed" py="sm">
      {`No source supports this claim yet. Open a record of type ${words.sourceTypeName} and connect it here through “${words.fieldLabel}”.`}
    </Text>
  );
}
