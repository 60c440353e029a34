import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { claimType, evidenceQuality, settings, sourceType } from "@/testing/claims";
import { fakeServer } from "@/testing/fakeServer";
import { renderAt } from "@/testing/renderAt";
import { ClaimSettingsForm } from "./ClaimSettingsForm";

const paper = {
  ...sourceType,
  id: "0190a000-0000-7000-8000-000000000039",
  slug: "paper",
  name: "Paper",
  field_configs: { backs: { relation: { target_type: "claim", multiple: true } } },
};

async function open(permissions: string[]) {
  const calls = fakeServer({
    "GET /api/entity-types": { body: { data: [claimType, paper, sourceType], next_cursor: null } },
    "GET /api/entity-types/claim": { body: claimType },
    "GET /api/entity-types/paper": { body: paper },
    "GET /api/entity-types/source-item": { body: sourceType },
    "GET /api/criteria-sets": { body: { data: [evidenceQuality], next_cursor: null } },
    "PUT /api/claims/settings": { body: { ...settings, source_type: "paper", relation_field: "backs" } },
  });
  await renderAt("/records/x", <ClaimSettingsForm settings={settings} />, permissions);
  return { calls, user: userEvent.setup() };
}

test("an admin says what sources and claims are, and what follows from it is told", async () => {
  const { calls, user } = await open(["entity_types.team.manage"]);
  expect(await screen.findByText(/Claims are then records of type Claim/)).toBeTruthy();
  const save = screen.getByRole("button", { name: "Save and count anew" });
  expect(save.hasAttribute("disabled")).toBe(true);
  await user.selectOptions(screen.getByLabelText("Sources are records of type"), "Paper");
  expect(save.hasAttribute("disabled")).toBe(true);
  await user.selectOptions(screen.getByLabelText("They lead to claims through"), await screen.findByRole("option", { name: "Backs" }));
  await user.selectOptions(screen.getByLabelText("Sources are rated with"), await screen.findByRole("option", { name: "Evidence quality" }));
  await user.click(save);
  expect(calls.find(({ method }) => method === "PUT")?.body).toEqual({
    source_type: "paper",
    criteria_set: "evidence-quality",
    relation_field: "backs",
  });
});

test("others read it", async () => {
  await open([]);
  expect(await screen.findByText("Only an admin or the owner can change this.")).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});
