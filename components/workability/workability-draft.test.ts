import { expect, it, vi } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { workabilityRequest } from "#lib/contract/workability.ts";
import { workability } from "#lib/messages/generated/en/workability.ts";
import { en } from "#lib/messages/generated/en.ts";
import { parseInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { type Asked, bodyOf, type Draft, keepDraft, keptDraft, withMembers } from "./workability-draft.ts";
import { verdictOf } from "./workability-verdict.ts";

const now = parseInstant("2026-09-14T07:20:00Z");
const place = { latitude: 46, longitude: -6.5 };
const draft: Draft = {
  limits: [
    { quantity: "Winds_10m_Intensity", is: "max", value: "20" },
    { quantity: "Waves_Significant_Height", is: "max", value: "1,5" },
  ],
  hours: "12",
  period: "forecast",
};
const asked = (part: Partial<Draft>, units = defaultUnits) =>
  bodyOf({ ...draft, ...part }, { point: place }, now, units, en);

it("asks in the units of the service for what is typed in those of the page, and for a long time as a task", () => {
  const { body, asTask } = asked({}) as Asked;
  expect(workabilityRequest.safeParse(body).success).toBe(true);
  expect(body).toMatchObject({
    from: "2026-09-14T07:00:00Z",
    to: "2026-09-24T07:00:00Z",
    step_hours: 1,
    limits: [{ max: 10.289 }, { max: 1.5 }],
  });
  expect(asTask).toBe(false);
  expect(asked({ period: "all" })).toMatchObject({
    asTask: true,
    body: { from: "2023-09-15T00:00:00Z", step_hours: 3 },
  });
  // A Beaufort force is a range, so its limit is entered in knots.
  expect((asked({}, { ...defaultUnits, speed: "Bft" }) as Asked).body.limits[0]).toMatchObject({
    max: 10.289,
  });
});

it("asks the members of an ensemble about one place, where the time reaches beyond now", () => {
  const bodyWith = (found: Asked | string) => (withMembers(found as Asked, "gefs", now) as Asked).body;
  expect(bodyWith(asked({}) as Asked)).toMatchObject({ ensemble: "gefs", window_hours: 12 });
  expect(workabilityRequest.safeParse(bodyWith(asked({}) as Asked)).success).toBe(true);
  expect(withMembers(asked({}), undefined, now)).not.toHaveProperty("body.ensemble");
  const edges = { south: "46", north: "47", west: "-7", east: "-6" };
  expect(withMembers(bodyOf(draft, { edges }, now, defaultUnits, en), "gefs", now)).not.toHaveProperty(
    "body.ensemble",
  );
  const past = asked({}) as Asked;
  const ended = { ...past, body: { ...past.body, to: "2026-09-14T06:00:00Z" } };
  expect(bodyWith(ended)).not.toHaveProperty("ensemble");
  expect(withMembers("incomplete", "gefs", now)).toBe("incomplete");
});

it("looks at no more places of a box than a request may have, and at fewer in a long time", () => {
  const of = (edges: Record<"south" | "north" | "west" | "east", string>, part: Partial<Draft> = {}) =>
    bodyOf({ ...draft, ...part }, { edges }, now, defaultUnits, en);
  const edges = { south: "45", north: "46", west: "179.5", east: "-179.5" };
  const area = { type: "box", latitude: [45, 46], longitude: [179.5, -179.5], spacing_deg: 0.25 };
  expect(of(edges)).toMatchObject({ body: { area }, asTask: false });
  const { body, asTask } = of(edges, { period: "all" }) as Asked;
  expect(body.area).toMatchObject({ spacing_deg: 0.5 });
  expect(workabilityRequest.safeParse({ ...body, async: true }).success).toBe(true);
  expect(asTask).toBe(true);
  expect(of({ ...edges, south: "47" })).toBe("incomplete");
  expect(of({ south: "-90", north: "90", west: "-180", east: "180" })).toBe("tooLarge");
});

it("begins with the forecast, under the limits that the device keeps", () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
  expect(keptDraft("en").period).toBe("forecast");
  keepDraft({ ...draft, hours: "6", period: "year" });
  expect(keptDraft("en")).toEqual({ ...draft, hours: "6", period: "forecast" });
});

it("asks for nothing while a number is missing or limits exclude each other", () => {
  const limit = (is: "max" | "min", value: string) => ({ quantity: "Gust_10m" as const, is, value });
  expect(asked({ limits: [limit("max", "")] })).toBe("incomplete");
  expect(asked({ limits: [limit("max", "10"), limit("min", "20")] })).toBe("incomplete");
  expect(asked({ hours: "0" })).toBe("incomplete");
  expect(asked({ period: "own", from: now, to: now })).toBe("incomplete");
});

it("says the share, the windows of the best and the worst month, the wait, and what is missing; how many members have a window, and the limits that they do not judge", () => {
  const row = (month: number | null, hours: number, windows: number, share: number) => ({
    month,
    hours,
    missing_hours: month === null ? 88 : 0,
    within_share: share,
    windows,
    window_hours: windows * 20,
    years: 1,
  });
  const rows = [row(null, 8760, 100, 0.62), row(1, 744, 2, 0.3), row(3, 744, 8, 0.7)];
  const longest = { from: "2025-01-05T00:00:00Z", hours: 144, is_lower_bound: false };
  const windows = [{ from: "2025-01-02T00:00:00Z", to: "2025-01-03T00:00:00Z", hours: 24, is_cut: false }];
  const of = (places: number, limits: object[], ensemble?: object) =>
    verdictOf(
      {
        results: rows,
        meta: {
          limits,
          window_hours: 12,
          places: Array(places).fill(place),
          windows,
          longest_wait: longest,
          ensemble,
        },
      } as unknown as Parameters<typeof verdictOf>[0],
      { ...utc, words: { ...en, workability } },
    );
  expect(of(25, [{ places_without: 4 }]).lines).toContain(
    "An hour counts where all 21 places of a grid in the box are within limits. 4 without data, as on land, are left out.",
  );
  const with_window = { keep: 12, break: 18, not_known: 1 };
  expect(of(1, [], { with_window, unjudged: ["Currents_Intensity"] }).lines).toEqual(
    expect.arrayContaining([
      "A window of 12 h in 12 of 31 members. Not calibrated: squalls and straits are not in them.",
      "Not in the ensemble, and not judged: Current speed.",
    ]),
  );
  expect(of(1, [])).toEqual({
    share: "Within limits 62% of hours",
    lines: [
      "Windows of 12 h: 8 in March, 2 in January.",
      "Longest wait: 6 d, from Sunday 5 January 2025.",
      "1% of hours have no data and are not counted.",
    ],
  });
});
