import { expect, it } from "vitest";
import { readView } from "#components/view-state/view-url.ts";
import { type Watch, watchRequest } from "#lib/contract/watch.ts";
import { watches as de } from "#lib/messages/generated/de/watches.ts";
import { watches as en } from "#lib/messages/generated/en/watches.ts";
import { parseInstant } from "#lib/time.ts";
import { mapLink } from "#lib/watches/compose.ts";
import { hourlyQuantities } from "#lib/watches/quantities.ts";
import { draftKinds, draftOf, newDraft, type RouteQuestion, requestOf } from "./watch-draft.ts";

const place = { latitude: 48.5, longitude: -5.2 };
const route = {
  route: [place, { latitude: 43, longitude: -8 }],
  departure: "2026-09-15T12:00:00Z",
  vessel: { kind: "fixed" as const, speed_kt: 6 },
};

it.each(draftKinds.filter((kind) => kind !== "tide"))(
  "the defaults of %s are a watch that the service takes, and its dialog opens it again",
  (kind) => {
    const asked = requestOf(newDraft({ place, kind }, en), "en", en);
    const body = "body" in asked ? watchRequest.parse(asked.body) : undefined;
    expect(body!.name).not.toBe("");
    const watch = {
      ...body,
      id: "1",
      channels: null,
      expires_at: "2027-01-01T00:00:00.000Z",
    } as unknown as Watch;
    const again = requestOf(draftOf(watch, en), "en", en, watch);
    expect("body" in again && watchRequest.parse(again.body).question).toEqual(body!.question);
  },
);

it("a height of the tide needs a station and a limit; it keeps the level of the station, and the name that was typed", () => {
  const station = { id: "noaa:8443970", name: "Boston", datum: "MLLW" };
  expect(requestOf(newDraft({ place, kind: "tide" }, en), "en", en)).toEqual({
    problem: { station: "none" },
  });
  const draft = newDraft({ place, station }, en);
  expect(requestOf(draft, "en", en)).toMatchObject({ problem: { field: "tide_m" } });
  const asked = requestOf({ ...draft, tideLimit: "3,4" }, "en", en);
  const body = "body" in asked ? watchRequest.parse(asked.body) : undefined;
  expect(body).toMatchObject({
    name: "Boston",
    question: {
      kind: "tide",
      station: station.id,
      datum: "MLLW",
      window_hours: 12,
      conditions: [{ quantity: "tide_m", over: 3.4 }],
    },
  });
  const watch = {
    ...body,
    name: "Quay",
    channels: null,
    expires_at: "2027-01-01T00:00:00.000Z",
  } as unknown as Watch;
  const again = requestOf(draftOf(watch, en), "en", en, watch);
  expect("body" in again && [again.body.name, watchRequest.parse(again.body).question]).toEqual([
    "Quay",
    body!.question,
  ]);
});

it("a watch that is about no place yet asks for one, and is named after it", () => {
  const draft = newDraft({}, en);
  expect(draft.name).toBe("");
  expect(requestOf(draft, "en", en)).toEqual({ problem: { position: "invalid" } });
  const asked = requestOf({ ...draft, position: "48 30N 005 12W" }, "en", en);
  expect("body" in asked && asked.body.name).toBe("48°30.0′N 005°12.0′W");
});

it("a position is written as on a chart, and keeps its decimals until another one is typed", () => {
  const there = { latitude: 18.1234, longitude: -50.9877 };
  const draft = newDraft({ place: there, kind: "storm" }, en);
  expect(draft.position).toBe("18°07.4′N 050°59.3′W");
  const asked = (position: string) => requestOf({ ...draft, position }, "en", en);
  expect(asked(draft.position)).toMatchObject({ body: { question: there } });
  expect(asked("48,5; -5,25")).toMatchObject({ body: { question: { latitude: 48.5, longitude: -5.25 } } });
  expect(asked("48 30N 005 15O")).toEqual({ problem: { position: "unclear" } });
});

it("a passage is watched as it is planned", () => {
  const asked = requestOf(newDraft({ place, route }, en), "en", en);
  expect("body" in asked && watchRequest.parse(asked.body)).toMatchObject({
    name: "My passage",
    question: { kind: "route", join: "any", departure: route.departure },
  });
});

it("numbers have a comma or a point; what is no number is named with its range", () => {
  const draft = newDraft({ place }, de);
  const asked = requestOf({ ...draft, ahead: "47,6" }, "de", de);
  expect("body" in asked && asked.body.question).toMatchObject({ window_hours: 48 });
  expect(requestOf({ ...draft, ahead: "0x10" }, "de", de)).toMatchObject({ problem: { field: "ahead" } });
  expect(requestOf({ ...draft, ahead: "" }, "de", de)).toEqual({
    problem: { field: "ahead", range: [1, 240] },
  });
  expect(requestOf({ ...draft, conditions: [] }, "de", de)).toEqual({
    problem: { field: "conditions", range: [1, 6] },
  });
});

it("a storm beside other conditions stays when the dialog changes them", () => {
  const question = {
    kind: "place",
    ...place,
    storm_method: "season",
    conditions: [
      { quantity: "gust_kt", over: 30 },
      { quantity: "storm_nm", under: 100 },
    ],
  };
  const watch = {
    ...watchRequest.parse({ name: "x", question }),
    channels: null,
    expires_at: "2027-01-01T00:00:00.000Z",
  };
  const asked = requestOf(draftOf(watch as unknown as Watch, en), "en", en, watch as unknown as Watch);
  expect("body" in asked && watchRequest.parse(asked.body).question).toEqual(watch.question);
});

it.each(hourlyQuantities)(
  "the link of an alert about %s opens the map there, in a layer that it has",
  (quantity) => {
    const time = parseInstant("2027-01-01T06:00:00Z");
    const link = mapLink({ at: place, time, quantity, storm: { provider: "jma", id: "WP262026" } });
    const view = readView(link.replace(/^\//, ""));
    expect(view).toMatchObject({ p: place, c: place, z: 5, t: time, sp: "jma", storm: "WP262026" });
    const layers: Record<string, string> = {
      gust_kt: "gust",
      swell_m: "swell",
      cape_j_kg: "mucape",
      pressure_hpa: "pressure",
    };
    if (layers[quantity]) expect(view.l).toBe(layers[quantity]);
  },
);

it("a passage of too many waypoints, or too long, is refused before it is sent", () => {
  const problemOf = (count: number, knots: number) => {
    const route = Array.from({ length: count }, (_, index) => ({
      latitude: 40 + 0.4 * index,
      longitude: -40,
    }));
    const passage = {
      route: route as unknown as RouteQuestion["route"],
      departure: "2027-01-01T00:00:00Z",
      vessel: { kind: "fixed" as const, speed_kt: knots },
    };
    const asked = requestOf(newDraft({ route: passage }, en), "en", en);
    return "problem" in asked ? asked.problem : undefined;
  };
  expect(problemOf(100, 6)).toBeUndefined();
  expect(problemOf(101, 6)).toEqual({ waypoints: 101, most: 100 });
  expect(problemOf(100, 1)).toEqual({ isLong: true });
});
