import { Text, UnstyledButton } from "@mantine/core";
import { DrawingPinFilledIcon } from "@radix-ui/react-icons";
import type { Knowledge } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import type { Scopes } from "../hooks/useScopes";
import { scaleOfRows, valueOf } from "../lib/value";
import { supportOf } from "../lib/words";
import { FlagBadges, StateBadge, TypeBadge } from "./KnowledgeBadges";
import { ValueCell } from "./ValueCell";
import classes from "./knowledge.module.css";

interface KnowledgeTableProps {
  rows: readonly Knowledge[];
  /** The one at hand. */
  at: string | null;
  /** Sessions of this week, by row; undefined while they are counted. */
  uses: ReadonlyMap<string, number> | undefined;
  scopes: Scopes;
  /** Whether rows of more than one type are listed. */
  isMixed: boolean;
  onFocus: (id: string) => void;
  onOpen: (id: string) => void;
}

const MOST = 1000; // where the server ends to count

/** What was learnt, one row each. Beside an open row only the first column is left, with the most telling of the others. */
export function KnowledgeTable({ rows, at, uses, scopes, isMixed, onFocus, onOpen }: KnowledgeTableProps) {
  const scale = scaleOfRows(rows);
  return (
    <table className={classes.table} aria-label="Knowledge">
      <thead>
        <tr>
          <th scope="col">What was learnt</th>
          <th scope="col">Holds</th>
          <th scope="col">State</th>
          <th scope="col">Support</th>
          <th scope="col">Value</th>
          <th scope="col" data-number>
            Tokens
          </th>
          <th scope="col">Confirmed</th>
          <th scope="col" data-number>
            Prompts this week
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} data-here={row.id === at || undefined} onClick={() => onOpen(row.id)}>
            <th scope="row">
              <UnstyledButton
                className={classes.rowButton}
                data-stop={row.id}
                tabIndex={row.id === at ? 0 : -1}
                aria-current={row.id === at || undefined}
                onFocus={() => onFocus(row.id)}
              >
                <span className={classes.content} dir="auto">
                  {row.pinned && <DrawingPinFilledIcon className={classes.pin} aria-label="Pinned" />}
                  {row.content}
                </span>
                <span className={classes.marks}>
                  {isMixed && <TypeBadge type={row.type} />}
                  <span className={classes.brief}>
                    <StateBadge state={row.state} />
                  </span>
                  <FlagBadges flags={row.flags} />
                </span>
                <Text span size="xs" c="dimmed" className={classes.brief}>
                  {scopes.nameOf(row)} · {supportOf(row)} · {lower(valueOf(row))}
                </Text>
              </UnstyledButton>
            </th>
            <td>
              <bdi>{scopes.nameOf(row)}</bdi>
            </td>
            <td>
              <StateBadge state={row.state} />
            </td>
            <td data-whole data-none={row.origins === 0 || undefined}>{supportOf(row)}</td>
            <td>
              <ValueCell row={row} scale={scale} />
            </td>
            <td data-number>{row.tokens.toLocaleString("en")}</td>
            <td>
              <RelativeTime value={row.last_confirmed_at} />
            </td>
            <td data-number>{inPrompts(uses?.get(row.id))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function inPrompts(count: number | undefined): string {
  if (count === undefined) return "–";
  return count >= MOST ? `${MOST.toLocaleString("en")}+` : count.toLocaleString("en");
}
