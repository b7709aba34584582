import { expect, it } from "vitest";
import { firstProblem } from "#components/fields/contract-resolver.ts";
import { parseInstant } from "#lib/time.ts";
import { de, en } from "#test/all-words.ts";
import { type BoxDraft, boxBody, boxCheck, boxDraft, valuesOf } from "./box-draft.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const draft = boxDraft(undefined, now);
const edges = (part: Partial<BoxDraft["edges"]>) => ({ edges: { ...draft.edges, ...part } });

it("a box is sent as it is typed, one instant alone, and is repeated as it was sent", () => {
  const body = boxBody({ ...draft, ...edges({ south: "40,5", west: "−30" }), task_name: " Biscay " });
  expect(body).toEqual({
    task_name: "Biscay",
    receive_mail: false,
    include_meta: true,
    variable: "wind",
    bounding_boxes: [
      {
        latitude: [40.5, 60],
        longitude: [-30, 0],
        timestamp: ["2026-09-15T12:00:00Z", "2026-09-16T12:00:00Z"],
      },
    ],
  });
  expect(boxBody(boxDraft(body, 0))).toEqual(body);
  const instant = boxBody({ ...draft, to: draft.from });
  expect(instant.bounding_boxes[0]?.timestamp).toBe("2026-09-15T12:00:00Z");
  expect(boxBody(boxDraft(instant, 0))).toEqual(instant);
  expect(valuesOf(instant)).toBe(81 * 121 * 2);
});

const { box } = en.tasks;

it.each<[string, Partial<BoxDraft>, string | undefined]>([
  ["nothing of the first form", {}, undefined],
  ["nothing of a box across 180°", edges({ west: "170", east: "-170" }), undefined],
  ["latitudes upside down", edges({ north: "10" }), box.wrongLatitudes],
  ["a latitude beyond the pole", edges({ north: "90.1" }), box.wrongLatitudes],
  ["an empty latitude", edges({ south: "" }), box.wrongLatitudes],
  ["a longitude beyond 180°", edges({ east: "181" }), box.wrongLongitudes],
  ["an end before the start", { to: now - 1 }, box.wrongTimes],
  ["a text that is no time", { from: Number.NaN }, box.wrongTimes],
  ["two of them", { from: Number.NaN, to: Number.NaN }, box.wrongTimes],
  ["a time of 32 days", { to: now + 32 * 86_400 }, box.tooLong({ days: 31 })],
  [
    "more values than a task may have",
    { ...edges({ south: "-90", north: "90", west: "-180", east: "180" }) },
    box.tooMany({ count: 721 * 1440 * 25 * 2, most: 50_000_000 }),
  ],
])("refuses %s, by the contract", (_, part, problem) => {
  expect(firstProblem(boxCheck(en)({ ...draft, ...part }).errors)).toBe(problem);
});

it("says it in the language of the page", () => {
  const { errors } = boxCheck(de)({ ...draft, ...edges({ north: "10" }) });
  expect(firstProblem(errors)).toBe(de.tasks.box.wrongLatitudes);
});
