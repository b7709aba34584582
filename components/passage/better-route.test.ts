import { expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { noWayByWater, optimiseRequest, type PlanWithVessel } from "#lib/contract/passage.ts";
import { DAY_S, parseInstant } from "#lib/time.ts";
import { betterRequest } from "./passage-request.ts";
import { failureOf } from "./use-search.ts";

const NOW = parseInstant("2026-09-15T12:20:00Z");
const storms = { provider: "jtwc", method: "classic" } as const;
const at = (latitude: number, longitude: number) => ({ latitude, longitude, leg: "great_circle" as const });
const plan: PlanWithVessel = {
  name: "",
  route: [at(40, -42), at(41, -43)],
  vessel: { kind: "fixed", speed_kt: 6 },
};
const asked = (part: Partial<PlanWithVessel>, departure = NOW) =>
  betterRequest({ ...plan, ...part }, departure, "within_limits", storms, {}, NOW);

it("is searched by a task, with storms and the limits of the plan", () => {
  const request = asked({ name: "Biscay", limits: { gust_kt: 20 } });
  if (request.as === "refused") throw new Error(request.why);
  expect(optimiseRequest.parse(request.body)).toMatchObject({
    async: true,
    task_name: "Biscay",
    include_pieces: false,
    storms: "jtwc",
    limits: { gust_kt: 20 },
  });
});

it.each([
  ["loop", { route: [at(40, -42), at(41, -43), at(40, -42)] }, NOW],
  ["vessel", { vessel: { kind: "sail" as const } }, NOW],
  ["distance", { route: [at(40, -42), at(-40, 100)] }, NOW],
  ["hours", { route: [at(40, -42), at(10, -20)], vessel: { kind: "fixed" as const, speed_kt: 1 } }, NOW],
  ["forecast", { route: [at(40, -42), at(40, -20)] }, NOW + 10 * DAY_S],
])("is refused before anything is sent: %s", (why, part, departure) => {
  expect(asked(part, departure)).toMatchObject({ as: "refused", why });
});

it("an end on land is told from other problems, with the water that the service offers", () => {
  const issue = (waypoint: number, ctx: object) => ({
    loc: ["body", "route", waypoint],
    msg: "on land",
    ctx,
  });
  const rejected = (issues: object[]) =>
    new ServiceError({ is: "rejected", problems: "", issues: issues as never }, 422);
  const state = failureOf(rejected([issue(0, { nearest_water: { latitude: 40.1, longitude: -42 } })]), plan);
  expect(state).toMatchObject({ is: "ashore", ends: [{ end: "start", waypoint: 0 }] });
  if (state.is !== "ashore") throw new Error(state.is);
  expect(state.ends[0]!.water!.km).toBeCloseTo(11.1, 1);
  expect(failureOf(rejected([issue(1, {})]), plan)).toMatchObject({
    is: "ashore",
    ends: [{ end: "end", water: undefined }],
  });
  expect(failureOf(rejected([{ loc: ["body", "departure"] }]), plan)).toMatchObject({ is: "failed" });
  const noWay = new ServiceError(`${noWayByWater} from here (task 1)`, 200);
  expect(failureOf(noWay, plan)).toEqual({ is: "no_way" });
});
