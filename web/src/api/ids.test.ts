import { expect, test } from "vitest";
import { idAt, newId } from "./ids";

const zeros = new Uint8Array(10);
const ones = new Uint8Array(10).fill(255);

test.each([
  [0, zeros, "00000000-0000-7000-8000-000000000000"],
  [0, ones, "00000000-0000-7fff-bfff-ffffffffffff"],
  [0x0190_a000_0000, zeros, "0190a000-0000-7000-8000-000000000000"],
  [0xffff_ffff_ffff, ones, "ffffffff-ffff-7fff-bfff-ffffffffffff"],
  [1.9, zeros, "00000000-0001-7000-8000-000000000000"],
])("at %s ms the id is made of the moment and the tail", (moment, tail, id) => {
  expect(idAt(moment, tail)).toBe(id);
});

test("ids of later moments sort later, and no two are the same", () => {
  const moments = [1, 255, 256, 1_700_000_000_000, 1_700_000_000_001];
  const ids = moments.map((moment, place) => idAt(moment, place % 2 ? zeros : ones));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(Array.from({ length: 1000 }, newId)).size).toBe(1000);
});

test("a new id is a UUIDv7 of now", () => {
  const id = newId();
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Math.abs(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16) - Date.now())).toBeLessThan(5_000);
});
