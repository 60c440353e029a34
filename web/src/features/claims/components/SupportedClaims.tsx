import { Anchor, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { Entity, SupportedClaim } from "@/api/types";
import { useCriteriaSetOfType } from "@/features/criteria/hooks/useCriteriaSets";
import { PagedRows } from "@/ui/PagedRows";
import { useSupportedClaims } from "../hooks/useClaims";
import { type ClaimWords, commonScale } from "../lib/claims";
import { QualityMeter } from "./QualityMeter";
import classes from "./claims.module.css";

interface SupportedClaimsProps {
  entity: Entity;
  words: ClaimWords;
}

/** On a source's page: the claims that it supports, with the numbers that they carry. */
export function SupportedClaims({ entity, words }: SupportedClaimsProps) {
  const heading = useId();
  const claims = useSupportedClaims(entity.id);
  const { source_type, criteria_set } = words.settings;
  const scale = commonScale(useCriteriaSetOfType(source_type, criteria_set).data);
  return (
    <section aria-labelledby={heading}>
      <Title order={2} mb="sm" id={heading}>
        Claims that rest on this
      </Title>
      <div className={classes.panel}>
        <div className={classes.rows} style={{ border: 0 }}>
          <PagedRows
            list={claims}
            what="claims"
            empty={
              <Text size="sm" c="dimmed" py="sm">
                {`It supports no claim yet. Connect it to one through “${words.fieldLabel}”.`}
              </Text>
            }
          >
            {(rows) => (
              <ul className={classes.list} aria-label="Claims">
                {rows.map((claim) => (
                  <ClaimRow key={claim.id} claim={claim} scale={scale} />
                ))}
              </ul>
            )}
          </PagedRows>
        </div>
      </div>
    </section>
  );
}

function ClaimRow({ claim, scale }: { claim: SupportedClaim; scale: [number, number] | null }) {
  const { source_count: count, source_quality_avg: average } = claim;
  return (
    <li className={classes.row}>
      <div>
        <Anchor
          size="sm"
          fw={550}
          style={{ overflowWrap: "anywhere" }}
          renderRoot={(props) => <Link to="/records/$id" params={{ id: claim.id }} {...props} />}
        >
          {claim.title}
        </Anchor>
        <div className={classes.words}>
          {count === null ? "Not counted yet" : `${count} ${count === 1 ? "source" : "sources"}`}
        </div>
      </div>
      {average === null ? (
        <Text size="xs" c="dimmed" className={classes.none}>
          No rated source
        </Text>
      ) : (
        <QualityMeter quality={average} scale={scale} />
      )}
    </li>
  );
}
