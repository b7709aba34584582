import { expect, it } from "vitest";
import { readView } from "#components/view-state/view-url.ts";
import { type Watch, watchRequest } from "#lib/contract/watch.ts";
import { watches as en } from "#lib/messages/generated/en/watches.ts";
import { parseInstant } from "#lib/time.ts";
import { mapLink } from "#lib/watches/compose.ts";
import { hourlyQuantities } from "#lib/watches/quantities.ts";
import {
  type About,
  type Draft,
  draftKinds,
  draftOf,
  isOfTides,
  newDraft,
  type RouteQuestion,
  requestOf,
} from "./watch-draft.ts";

const place = { latitude: 48.5, longitude: -5.2 };
const routeOf = (route: unknown, speed_kt: number) => ({
  route: route as RouteQuestion["route"],
  departure: "2026-09-15T12:00:00Z",
  vessel: { kind: "fixed" as const, speed_kt },
});

/** The request that the dialog sends, validated by the service's schema, or the problems. */
function asked(about: About, part: Partial<Draft> = {}) {
  const request = requestOf({ ...newDraft(about, en), ...part }, "en", en);
  return "body" in request ? watchRequest.parse(request.body) : request;
}

/** The request that the dialog sends for an existing watch that is not changed. */
function again(body: object) {
  const watch = {
    ...body,
    id: "1",
    channels: null,
    expires_at: "2027-01-01T00:00:00.000Z",
  } as unknown as Watch;
  const request = requestOf(draftOf(watch, en), "en", en, watch);
  return "body" in request ? watchRequest.parse(request.body) : request;
}

it.each(draftKinds.filter((kind) => !isOfTides(kind)))(
  "the defaults of %s are a watch that the service takes, and its dialog opens it again",
  (kind) => {
    const body = asked({ place, kind });
    expect(body).toMatchObject({ name: expect.stringMatching(/./) });
    expect(again(body)).toMatchObject({ question: (body as { question: object }).question });
  },
);

it("a watch keeps the channels that were chosen, none among them, and all of them where none was", () => {
  expect(asked({ place })).toMatchObject({ channels: undefined });
  expect(asked({ place }, { channels: [] })).toMatchObject({ channels: [] });
  const body = { name: "a", language: "en", paused: false, state: "quiet" };
  const question = (asked({ place }) as { question: Watch["question"] }).question;
  const id = "0199aaaa-0000-7000-8000-000000000001";
  const watch = { ...body, question, id, channels: [id], expires_at: "2027-01-01T00:00:00.000Z" } as Watch;
  const draft = draftOf(watch, en);
  expect(draft.channels).toEqual([id]);
  expect(requestOf({ ...draft, channels: null }, "en", en, watch)).toMatchObject({
    body: { channels: undefined },
  });
});

const station = { id: "noaa:8443970", name: "Boston", datum: "MLLW" };

it("a height of the tide keeps the level of the station, and the name that was typed", () => {
  const question = {
    kind: "tide",
    station: station.id,
    datum: "MLLW",
    window_hours: 12,
    conditions: [{ quantity: "tide_m", over: 3.4 }],
  };
  const body = asked({ place, station }, { tideLimit: "3,4" });
  expect(body).toMatchObject({ name: "Boston", question });
  expect(again({ ...body, name: "Quay" })).toMatchObject({ name: "Quay", question });
});

it.each<[string, Partial<Draft>, object]>([
  ["all high waters", {}, { type: "high", minutes_before: 60, conditions: [] }],
  [
    "low waters under a height",
    { extremeType: "low", minutesBefore: "90", filter: "under", heightLimit: "-0,3" },
    { type: "low", minutes_before: 90, conditions: [{ quantity: "tide_m", under: -0.3 }] },
  ],
  [
    "both, of great tides",
    { extremeType: "either", minutesBefore: "0", filter: "coefficient", coefficient: "100" },
    { type: "either", minutes_before: 0, coefficient: 100, conditions: [] },
  ],
])("a watch of high and low waters stays what it is when it is changed: %s", (_, change, wanted) => {
  const question = { kind: "tide_extreme", station: station.id, datum: "MLLW", ...wanted };
  const body = asked({ place, station }, { kind: "extreme", ...change });
  expect(again(body)).toMatchObject({ name: "Boston", question });
  expect(watchRequest.parse(body).question).toEqual(question);
});

it("a storm beside other conditions stays when the dialog changes them", () => {
  const conditions = [
    { quantity: "gust_kt", over: 30 },
    { quantity: "storm_nm", under: 100 },
  ];
  const question = { kind: "place", ...place, storm_method: "season", conditions };
  const body = watchRequest.parse({ name: "x", question });
  expect(again(body)).toMatchObject({ question: body.question });
});

const there = { latitude: 18.1234, longitude: -50.9877 };
const northward = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ latitude: 40 + 0.4 * index, longitude: -40 }));

it.each<[string, About, Partial<Draft>, object]>([
  ["a typed place names its watch", {}, { position: "48 30N 005 12W" }, { name: "48°30.0′N 005°12.0′W" }],
  ["a place keeps its decimals until it is typed again", { place: there }, {}, { question: there }],
  [
    "a place has a comma or a point",
    { place: there },
    { position: "48,5; -5,25" },
    { question: { latitude: 48.5, longitude: -5.25 } },
  ],
  ["hours have them too, and are whole", { place }, { ahead: "47,6" }, { question: { window_hours: 48 } }],
  [
    "a passage is watched as it is planned",
    { place, route: routeOf([place, { latitude: 43, longitude: -8 }], 6) },
    {},
    { name: "My passage", question: { kind: "route", join: "any", departure: "2026-09-15T12:00:00Z" } },
  ],
  ["a hundred waypoints are", { route: routeOf(northward(100), 6) }, {}, { question: { kind: "route" } }],
  ["no place is a fault", {}, {}, { problem: { position: "invalid" } }],
  ["an unclear one is", { place }, { position: "48 30N 005 15O" }, { problem: { position: "unclear" } }],
  ["a tide without a station is", { place, kind: "tide" }, {}, { problem: { station: "none" } }],
  [
    "high water a day before is",
    { place, station },
    { kind: "extreme", minutesBefore: "1440" },
    { problem: { field: "minutesBefore", range: [0, 720] } },
  ],
  [
    "a high water without its height is",
    { place, station },
    { kind: "extreme", filter: "over" },
    { problem: { field: "tide_m" } },
  ],
  ["high water without a station is", { place, kind: "extreme" }, {}, { problem: { station: "none" } }],
  ["a tide without a limit is", { place, station }, {}, { problem: { field: "tide_m" } }],
  [
    "what is no number is, with its range",
    { place },
    { ahead: "0x10" },
    { problem: { field: "ahead", range: [1, 240] } },
  ],
  ["no number is", { place }, { ahead: "" }, { problem: { field: "ahead", range: [1, 240] } }],
  ["no condition is", { place }, { conditions: [] }, { problem: { field: "conditions", range: [1, 6] } }],
  [
    "101 waypoints are",
    { route: routeOf(northward(101), 6) },
    {},
    { problem: { waypoints: 101, most: 100 } },
  ],
  ["too long a passage is", { route: routeOf(northward(100), 1) }, {}, { problem: { isLong: true } }],
])("%s", (_, about, part, expected) => expect(asked(about, part)).toMatchObject(expected));

it("a watch that is about no place yet has no name", () => expect(newDraft({}, en).name).toBe(""));

const layers: Record<string, string> = {
  gust_kt: "gust",
  swell_m: "swell",
  cape_j_kg: "mucape",
  pressure_hpa: "pressure",
};

it.each(hourlyQuantities)(
  "the link of an alert about %s opens the map there, in a layer that it has",
  (quantity) => {
    const time = parseInstant("2027-01-01T06:00:00Z");
    const link = mapLink({ at: place, time, quantity, storm: { provider: "jma", id: "WP262026" } });
    const layer = layers[quantity];
    expect(readView(link.replace(/^\//, ""))).toMatchObject({
      p: place,
      c: place,
      z: 5,
      t: time,
      sp: "jma",
      storm: "WP262026",
      ...(layer && { l: layer }),
    });
  },
);
