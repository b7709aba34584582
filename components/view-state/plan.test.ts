import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Plan, PlanWaypoint } from "#lib/contract/passage.ts";
import { stubStorage } from "#test/storage.ts";
import { inserted, MAX_WAYPOINTS, moved, removed, reordered, reversed, roundedPlace } from "./plan.ts";

let storage: ReturnType<typeof stubStorage>;
beforeEach(() => {
  vi.resetModules();
  storage = stubStorage();
});
afterEach(() => void vi.unstubAllGlobals());

const open = () => import("./plan.ts");
const openLinks = async () => ({ ...(await open()), ...(await import("#components/passage/route-link.ts")) });
const at = (latitude: number): Plan["route"][number] => ({ latitude, longitude: 0, leg: "great_circle" });
const departure = "2026-09-15T00:00:00Z";

it("changes are taken back and made again in their order, and those of one field in a row together", async () => {
  const { changePlan, readPlan, redoPlan, undoPlan } = await open();
  changePlan({ route: [at(1)] });
  for (const name of ["A", "Ab"]) changePlan({ name }, "name");
  changePlan({ route: [at(1), at(2)] });
  const names = () => `${readPlan().plan.name} ${readPlan().plan.route.length}`;
  const seen = [undoPlan, undoPlan, undoPlan, undoPlan, redoPlan, redoPlan].map((act) => {
    act();
    return names();
  });
  expect(seen).toEqual(["Ab 1", " 1", " 0", " 0", " 1", "Ab 1"]);
  expect([readPlan().past.length, readPlan().future.length]).toEqual([2, 1]);
  changePlan({ name: "B" }, "name");
  expect(readPlan()).toMatchObject({ plan: { name: "B", route: [at(1)] }, future: [] });
});

it("the device keeps the plan; what it has under another form is as if there were none", async () => {
  (await open()).changePlan({ name: "Way home", route: [at(1)] });
  vi.resetModules();
  expect((await open()).readPlan().plan).toMatchObject({ name: "Way home", route: [at(1)] });
  for (const text of ["no JSON", '{"version":0,"plan":{}}', "{}"]) {
    storage.stored.set("metocean-plan", text);
    vi.resetModules();
    const { emptyPlan, readPlan } = await open();
    expect(readPlan().plan).toEqual(emptyPlan);
  }
});

it("a device that does not take the plan is told about, and the plan is there all the same, for listeners too", async () => {
  const { changePlan, readPlan, subscribeToPlan } = await open();
  const listener = vi.fn();
  const end = subscribeToPlan(listener);
  storage.isFull = true;
  changePlan({ name: "A" });
  expect(readPlan()).toMatchObject({ plan: { name: "A" }, isKept: false });
  end();
  changePlan({ name: "B" });
  expect(listener).toHaveBeenCalledTimes(1);
});

it("saved plans are sorted by name, replaced by their name, deleted and brought back", async () => {
  const { deletePlan, emptyPlan, readSavedPlans, savePlan, setSavedPlans } = await open();
  const names = () => readSavedPlans().map(({ name, route }) => `${name}${route.length}`);
  for (const name of ["b", "a"]) savePlan({ ...emptyPlan, name });
  savePlan({ ...emptyPlan, name: "b", route: [at(1)] });
  expect(names()).toEqual(["a0", "b1"]);
  const before = readSavedPlans();
  deletePlan("b");
  expect(names()).toEqual(["a0"]);
  setSavedPlans(before);
  storage.isFull = true;
  expect(savePlan({ ...emptyPlan, name: "c" })).toBe(false);
  expect(names()).toEqual(["a0", "b1"]);
});

it("a route that is begun, imported or opened keeps the plan before it under a name", async () => {
  const { changePlan, readPlan, readSavedPlans, replacePlan, startRoute } = await openLinks();
  const vessel = { kind: "fixed", speed_kt: 6 } as const;
  const mine = { name: "Mine", route: [at(1), at(2), at(3)], vessel, departure };
  changePlan(mine);
  startRoute({ latitude: 48, longitude: -5 });
  expect(readPlan().plan).toMatchObject({ name: "", route: [{ latitude: 48, longitude: -5 }], vessel });
  expect(readPlan().plan.departure).toBeUndefined();
  expect(readSavedPlans()).toEqual([mine]);
  // An imported plan and a new one are saved in the same way; a plan without a name gets that of its ends.
  changePlan({ route: [{ ...at(4), name: "Brest" }, at(5), { ...at(6), name: "Horta" }] });
  replacePlan({ name: "Imported", route: [at(7), at(8)] });
  expect(readPlan().plan).toMatchObject({ name: "Imported", route: [at(7), at(8)] });
  expect(readSavedPlans().map(({ name }) => name)).toEqual(["Brest – Horta", "Mine"]);
});

const named = (name: string, leg: PlanWaypoint["leg"] = "great_circle"): PlanWaypoint => ({
  latitude: name.charCodeAt(0) - 60,
  longitude: 179.5,
  leg,
  name,
});
const names = (route: readonly PlanWaypoint[]) => route.map(({ name }) => name).join("");
const route = [named("A"), named("B", "rhumb"), named("C"), named("D", "rhumb")];
const place = { latitude: 1, longitude: 2 };

it("a waypoint goes to the end, or into a leg, whose kind both halves have, and not beyond what the service takes", () => {
  expect(inserted(route, place).at(-1)).toEqual({ ...place, leg: "rhumb" });
  const divided = inserted(route, { latitude: 1.123456789, longitude: 180.5 }, 2, "X");
  expect(names(divided)).toBe("ABXCD");
  expect(divided[2]).toEqual({ latitude: 1.12346, longitude: -179.5, leg: "great_circle", name: "X" });
  expect(inserted([], place)).toEqual([{ ...place, leg: "great_circle" }]);
  const full = Array.from({ length: MAX_WAYPOINTS }, () => named("A"));
  expect(inserted(full, place)).toBe(full);
});

it("a waypoint is moved, removed and put elsewhere in the order; beyond the ends nothing happens", () => {
  expect(moved(route, 1, { latitude: -5, longitude: -190 })[1]).toMatchObject({ longitude: 170, name: "B" });
  expect([removed(route, 0), reordered(route, 0, 2), reordered(route, 3, 0)].map(names)).toEqual([
    "BCD",
    "BCAD",
    "DABC",
  ]);
  expect([reordered(route, 0, -1), reordered(route, 3, 4)]).toEqual([route, route]);
});

it("the other way each leg keeps its kind, and twice is the same route", () => {
  const back = reversed(route);
  expect(names(back)).toBe("DCBA");
  // C–D was a rhumb line, B–C a great circle, A–B a rhumb line.
  expect(back.slice(1).map(({ leg }) => leg)).toEqual(["rhumb", "great_circle", "rhumb"]);
  const anyRoute = fc.array(fc.constantFrom("great_circle" as const, "rhumb" as const));
  const isSame = (legs: PlanWaypoint["leg"][]) => {
    const one = legs.map((leg, index) => named(String(index), leg));
    expect(reversed(reversed(one))).toEqual(one);
  };
  fc.assert(fc.property(anyRoute, isSame), { seed: 20_261_123 });
});

it("a place at 180° stays there", () => {
  expect(roundedPlace({ latitude: 90, longitude: 180 })).toEqual({ latitude: 90, longitude: 180 });
  expect(roundedPlace({ latitude: 0, longitude: -179.9999999 })).toEqual({ latitude: 0, longitude: -180 });
});
