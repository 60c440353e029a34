import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { northwind, response } from "@/testing/records";
import { renderAt } from "@/testing/renderAt";
import { ReviewQueue } from "./ReviewQueue";

const ENTITY = `/api/entities/${northwind.id}`;
const PROMOTE = `${ENTITY}/responses/${response.id}/promote`;
const row = { ...response, criteria_set_name: "Company fields", entity: { id: northwind.id, type: "company", title: northwind.title } };
const page = (...data: unknown[]) => ({ body: { data, next_cursor: null } });

test("what is asked for while the record is being read is done when it is there", async () => {
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const calls = fakeServer({
    "GET /api/responses": page(row),
    "GET /api/responses/count": { body: { count: 1 } },
    [`GET ${ENTITY}`]: async () => {
      await arrived;
      return { body: northwind };
    },
    [`GET ${ENTITY}/responses`]: page(response),
    [`GET ${ENTITY}/responses/${response.id}`]: { body: response },
    "GET /api/entity-types": page(),
    "GET /api/criteria-sets": page(),
    [`POST ${PROMOTE}`]: { body: { ...northwind, version: 4 } },
  });
  const promotions = () => calls.filter(({ method }) => method === "POST");
  await renderAt(`/records/${northwind.id}`, <ReviewQueue search={{}} onChange={() => undefined} />, [
    "entities.team.update",
    "responses.team.review",
  ]);
  await screen.findByRole("article", { name: "Proposal for Northwind" });
  await userEvent.keyboard("p");
  await screen.findByText("One moment: the record is being loaded.");
  expect(promotions()).toHaveLength(0);
  arrive();
  await waitFor(() => expect(promotions().map(({ body }) => body)).toEqual([{ expected_version: northwind.version, fields: ["revenue"] }]));
});
