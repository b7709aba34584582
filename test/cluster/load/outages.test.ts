import { expect, it } from "vitest";
import type { Failure } from "./callers.ts";
import { inFlightAt } from "./outages.ts";

const kills = [
  { name: "web1", answers: true, from: 100, to: 110 },
  { name: "worker1", answers: false, from: 200, to: 210 },
];
const failure = (from: number, to: number, servedBy?: string): Failure => ({
  from,
  to,
  servedBy,
  what: "",
  isClear: false,
});

it.each([
  ["in flight on the killed replica", failure(50, 105, "web1"), true],
  ["given to it while it went", failure(109, 120, "web1"), true],
  ["in flight on another replica", failure(50, 105, "web2"), false],
  ["begun after it was gone", failure(111, 120, "web1"), false],
  ["over before the kill", failure(50, 99, "web1"), false],
  ["closed without an answer at the kill", failure(50, 105), true],
  ["closed without an answer at another time", failure(120, 130), false],
  ["closed without an answer when a worker was killed", failure(199, 205), false],
])("a request %s is judged so", (_name, failed, isExplained) => {
  expect(inFlightAt(kills)(failed)).toBe(isExplained);
});
