import { Anchor, Collapse, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId } from "react";
import { useAnswerName } from "../hooks/useAnswers";
import { type Gate, confidenceFigure, whyThisTurn } from "../lib/reactions";
import { TurnLink } from "./TurnLink";
import classes from "./conversations.module.css";

interface MachineReasonProps {
  project: string;
  /** The one that is shown. */
  conversation: string;
  gate: Gate;
  message: string | null;
  confidence: number;
  /** The turn that it is about. */
  target: string | null;
}

/** The words that a machine took for a reaction, where they were said, and why it holds this turn to be meant. */
export function MachineReason({ project, conversation, gate, message, confidence, target }: MachineReasonProps) {
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  const words = gate.evidence || message || "";
  const from = gate.message;
  return (
    <div className={classes.reason}>
      <Text size="sm" component="q" className={classes.evidence}>
        {words}
      </Text>
      <Text size="xs" c="dimmed" component="div" mt={2}>
        {from && (
          <>
            <TurnLink project={project} conversation={from.conversation_id} turn={from.turn_id}>
              {from.conversation_id === conversation ? "Said in a later message" : "Said in another conversation"}
            </TurnLink>
            {" · "}
          </>
        )}
        <Anchor
          component="button"
          type="button"
          size="xs"
          underline="always"
          aria-expanded={opened}
          aria-controls={id}
          onClick={toggle}
        >
          Why this turn?
        </Anchor>
      </Text>
      <Collapse expanded={opened} id={id}>
        {opened && <Candidates project={project} gate={gate} confidence={confidence} target={target} />}
      </Collapse>
    </div>
  );
}

type CandidatesProps = Pick<MachineReasonProps, "project" | "gate" | "confidence" | "target">;

function Candidates({ project, gate, confidence, target }: CandidatesProps) {
  const nameOfAnswer = useAnswerName();
  return (
    <div className={classes.candidatesBox}>
      <Text size="xs" mb={4}>
        {whyThisTurn(gate)} {gate.detector && `Read by ${gate.detector}, ${confidenceFigure(confidence)} sure.`}
      </Text>
      {gate.candidates.length > 0 && (
        <Table aria-label="Candidates" className={classes.candidateTable} withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Answer</Table.Th>
              <Table.Th scope="col">Score</Table.Th>
              <Table.Th scope="col">Similarity</Table.Th>
              <Table.Th scope="col">Recency</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {gate.candidates.map((each) => (
              <Table.Tr key={`${each.conversation_id}/${each.turn_id}`} data-meant={each.turn_id === target || undefined}>
                <Table.Td>
                  <TurnLink project={project} conversation={each.conversation_id} turn={each.turn_id}>
                    {nameOfAnswer(each.conversation_id, each.turn_id)}
                  </TurnLink>
                </Table.Td>
                <Table.Td>{each.score.toFixed(2)}</Table.Td>
                <Table.Td>{each.similarity.toFixed(2)}</Table.Td>
                <Table.Td>{each.recency.toFixed(2)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  );
}
