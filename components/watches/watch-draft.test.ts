import { expect, it } from "vitest";
import { readView } from "#components/view-state/view-url.ts";
import { type Watch, watchRequest } from "#lib/contract/watch.ts";
import { parseInstant } from "#lib/time.ts";
import { mapLink } from "#lib/watches/compose.ts";
import { hourlyQuantities } from "#lib/watches/quantities.ts";
import { de, en } from "#test/all-words.ts";
import {
  type About,
  type Draft,
  draftKinds,
  draftOf,
  draftResolver,
  isOfTides,
  nameOf,
  newDraft,
  type RouteQuestion,
} from "./watch-draft.ts";

const place = { latitude: 48.5, longitude: -5.2 };
const routeOf = (route: unknown, speed_kt: number) => ({
  route: route as RouteQuestion["route"],
  departure: "2026-09-15T12:00:00Z",
  vessel: { kind: "fixed" as const, speed_kt },
});

/** The request that the dialog sends for a draft, or what is wrong with its fields. */
function sent(draft: Draft, watch?: Watch, words = en) {
  const { values, errors } = draftResolver(words, watch)(draft);
  return Object.keys(errors).length === 0 ? watchRequest.parse(values) : { errors };
}

// The dialog writes numbers with the decimal comma of the language.
const asked = (about: About, part: Partial<Draft> = {}) => sent({ ...newDraft(about, "de"), ...part });

/** The request that the dialog sends for an existing watch that is not changed. */
function again(body: object) {
  const watch = {
    ...body,
    id: "1",
    channels: null,
    expires_at: "2027-01-01T00:00:00.000Z",
  } as unknown as Watch;
  return sent(draftOf(watch, en.watches, "de"), watch);
}

it.each(draftKinds.filter((kind) => !isOfTides(kind)))(
  "the defaults of %s are a watch that the service takes, and its dialog opens it again",
  (kind) => {
    const body = asked({ place, kind });
    expect(body).toMatchObject({ name: expect.stringMatching(/./) });
    expect(again(body)).toMatchObject({ question: (body as { question: object }).question });
  },
);

it("asks at least a share of the members of an ensemble, and its dialog opens it again", () => {
  for (const kind of ["danger", "window"] as const) {
    const body = asked({ place, kind }, { agree: "members", ensemble: "gefs", percent: "60" });
    expect(body).toMatchObject({ question: { ensemble: "gefs", percent: 60 } });
    expect((body as { question: object }).question).not.toHaveProperty("models");
    expect(again(body)).toMatchObject({ question: (body as { question: object }).question });
  }
  for (const percent of ["0", "101", "x"])
    expect(asked({ place }, { agree: "members", ensemble: "gefs", percent })).toMatchObject({
      errors: { percent: {} },
    });
  expect(asked({ place, kind: "storm" }, { agree: "members", ensemble: "gefs" })).toMatchObject({
    question: { kind: "place" },
  });
});

it("a watch keeps the channels that were chosen, none among them, and all of them where none was", () => {
  expect(asked({ place })).toMatchObject({ channels: undefined });
  expect(asked({ place }, { channels: [] })).toMatchObject({ channels: [] });
  const body = { name: "a", language: "en", paused: false, state: "quiet" };
  const question = (asked({ place }) as { question: Watch["question"] }).question;
  const id = "0199aaaa-0000-7000-8000-000000000001";
  const watch = { ...body, question, id, channels: [id], expires_at: "2027-01-01T00:00:00.000Z" } as Watch;
  const draft = draftOf(watch, en.watches, "en");
  expect(draft.channels).toEqual([id]);
  expect(sent({ ...draft, channels: null }, watch)).toMatchObject({ channels: undefined });
});

it.each(["danger", "window"] as const)(
  "%s of any, most or all models keeps them, and the best forecast has none",
  (kind) => {
    const models = ["gfs", "ecmwf"];
    for (const agree of ["any", "most", "all"] as const) {
      const body = asked({ place, kind }, { agree, models });
      expect(body).toMatchObject({ question: { models, agree } });
      expect(again(body)).toMatchObject({ question: (body as { question: object }).question });
    }
    const best = (asked({ place, kind }, { agree: "best", models }) as { question: object }).question;
    expect(Object.keys(best)).not.toContain("models");
    // Storms depend on no model.
    const storm = (asked({ place, kind: "storm" }, { agree: "all", models }) as { question: object })
      .question;
    expect(Object.keys(storm)).not.toContain("agree");
  },
);

it("a passage keeps the models of its watch, and is too long where they make it so", () => {
  const models = ["gfs", "ecmwf", "aifs"];
  const route = [place, { latitude: 52, longitude: -20 }];
  const body = asked({ route: routeOf(route, 10) }, { agree: "most", models });
  expect(body).toMatchObject({ question: { kind: "route", models, agree: "most" } });
  expect(again(body)).toMatchObject({ question: (body as { question: object }).question });
  const far = [place, { latitude: 20, longitude: -60 }];
  expect(asked({ route: routeOf(far, 6) })).toMatchObject({ question: { kind: "route" } });
  expect(asked({ route: routeOf(far, 6) }, { agree: "all", models })).toMatchObject({
    errors: { route: expect.anything() },
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

const wrong = (field: string, text: string | RegExp) => ({
  errors: { [field]: { message: expect.stringMatching(text) } },
});
const noStation = wrong("station", en.watches.form.noStation);

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
  ["no place is a fault", {}, {}, { errors: { position: { message: en.ship.form.errors.position } } }],
  [
    "an unclear one is",
    { place },
    { position: "48 30N 005 15O" },
    { errors: { position: { message: en.ship.form.errors.unclear } } },
  ],
  ["a tide without a station is", { place, kind: "tide" }, {}, noStation],
  [
    "high water a day before is",
    { place, station },
    { kind: "extreme", minutesBefore: "1440" },
    wrong("minutesBefore", "Minutes before: a number from 0 to 720."),
  ],
  [
    "a high water without its height is",
    { place, station },
    { kind: "extreme", filter: "over" },
    wrong("heightLimit", "Tide: a number from −20 to 30."),
  ],
  ["high water without a station is", { place, kind: "extreme" }, {}, noStation],
  [
    "a tide without a place is",
    { kind: "tide" },
    {},
    { errors: { station: { message: en.ship.form.errors.position } } },
  ],
  ["a tide without a limit is", { place, station }, {}, wrong("tideLimit", "Tide: a number from −20 to 30.")],
  [
    "what is no number is, with its range",
    { place },
    { ahead: "0x10" },
    wrong("ahead", `${en.watches.form.ahead}: a number from 1 to 240.`),
  ],
  ["no number is", { place }, { ahead: "" }, wrong("ahead", /1 to 240/)],
  ["no condition is", { place }, { conditions: [] }, wrong("conditions", /1 to 6/)],
  ["101 waypoints are", { route: routeOf(northward(101), 6) }, {}, wrong("route", /101 waypoints.* 100/)],
  [
    "too long a passage is",
    { route: routeOf(northward(100), 1) },
    {},
    wrong("route", /too long to be watched/),
  ],
  [
    "a limit beyond what there is is",
    { place },
    { conditions: [{ quantity: "gust_kt", side: "over", limit: "300" }] },
    { errors: { conditions: [{ limit: { message: "Gusts: a number from 0 to 250." } }] } },
  ],
  [
    "a window that lasts longer than it is looked for is",
    { place, kind: "window" },
    { windowAhead: "24", lasting: "36" },
    wrong("lasting", /1 to 24/),
  ],
  [
    "a coefficient that no tide has is",
    { place, station },
    { kind: "extreme", filter: "coefficient", coefficient: "12" },
    wrong("coefficient", /20 to 120/),
  ],
])("%s", (_, about, part, expected) => expect(asked(about, part)).toMatchObject(expected));

it("what is wrong is said in the language of the page", () => {
  const { errors } = sent({ ...newDraft({ place }, "en"), ahead: "x" }, undefined, de) as {
    errors: { ahead: { message: string } };
  };
  expect(errors.ahead.message).toBe(
    de.watches.form.wrongNumber({ what: de.watches.form.ahead, least: "1", most: "240" }),
  );
});

it("a name that was typed stays when the watch is changed, and another follows what it is about", () => {
  const body = asked({ place }) as Watch;
  expect(draftOf({ ...body, name: "Biscay" }, en.watches, "en").name).toBe("Biscay");
  const draft = draftOf(body, en.watches, "en");
  expect(draft.name).toBeUndefined();
  expect(sent({ ...draft, position: "48 30N 005 12W" })).toMatchObject({
    name: "48°30.0′N 005°12.0′W",
  });
});

it("a watch that is about no place yet has no name", () =>
  expect(nameOf(newDraft({}, "en"), en.watches)).toBe(""));

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
