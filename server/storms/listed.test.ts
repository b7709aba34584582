import type { Provider } from "@open-metocean/storms/bulletin";
import { underLists } from "@open-metocean/storms/merge";
import { expect, it } from "vitest";
import { BASE, bulletin } from "#test/storm-feed.ts";
import { type DerivedStorms, deriveStorms } from "./derive.ts";

const at = (time: string) => Date.parse(`2026-09-${time}:00Z`) / 1000;

/** Reads the same mirror again and again. */
function reader(provider: Provider) {
  let before: DerivedStorms | undefined;
  return (time: string, texts: Record<string, string>) => {
    const now = at(time);
    const feed = Object.entries(texts).map(([source, text]) => ({ source, text, receivedAt: now }));
    const previous = before?.storms ?? [];
    before = deriveStorms({ provider, texts: feed, previous, feed: before?.feed, now });
    return before.storms.map(({ entry }) => ({
      id: entry.id,
      active: entry.is_active,
      forecast: entry.tracks.forecast?.issued_at,
      hasCone: entry.cone !== undefined,
    }));
  };
}

/** Rows of a best track, of day and hour. */
const track = (storm: string, stage: string, hours: string[]) =>
  hours
    .map(
      (hour, index) =>
        `${storm}, 202609${hour},   , BEST,   0, ${180 + 5 * index}N,  500W,  70,  980, ${stage},\n`,
    )
    .join("");
const best = (storm: string, ...hours: string[]) => track(storm, "HU", hours);
const official = (storm: string, hour: string) =>
  [0, 12, 24]
    .map(
      (tau) =>
        `${storm}, 202609${hour}, 03, OFCL, ${String(tau).padStart(3)}, ${190 + tau}N,  500W,  70,  980, HU,\n`,
    )
    .join("");
const list = (...storms: [id: string, updated: string][]) =>
  JSON.stringify({
    activeStorms: storms.map(([id, updated]) => ({
      id,
      name: "Gamma",
      classification: "HU",
      intensity: "70",
      latitudeNumeric: 19,
      longitudeNumeric: id.startsWith("al") ? -50 : -120,
      lastUpdate: `2026-09-${updated}:00.000Z`,
    })),
  });

it("does not end a storm by a list that is no longer updated while forecasts of the storm are", () => {
  const read = reader("jtwc");
  const frozen = list();
  expect(read("22T00:00", { "CurrentStorms.json": frozen })).toEqual([]);
  const decks = (hour: string, ...hours: string[]) => ({
    "bal072026.dat": best("AL, 07", ...hours, hour),
    "aal072026.dat": official("AL, 07", hour),
  });
  const active = { id: "AL072026", active: true, hasCone: true };
  expect(read("25T00:30", { "CurrentStorms.json": frozen, ...decks("2500", "2412", "2418") })).toMatchObject([
    { ...active, forecast: at("25T00:00") },
  ]);
  expect(read("25T06:30", { "CurrentStorms.json": frozen, ...decks("2506", "2418", "2500") })).toMatchObject([
    { ...active, forecast: at("25T06:00") },
  ]);
  // The list changes again, has the storm, and then leaves it out: the storm has ended, and stays so.
  const last = decks("2506", "2418", "2500");
  const on = list(["al072026", "25T09:00"]);
  expect(read("25T09:00", { "CurrentStorms.json": on, ...last })).toMatchObject([active]);
  for (const time of ["25T15:00", "25T18:00"])
    expect(read(time, { "CurrentStorms.json": frozen, ...last })).toMatchObject([{ active: false }]);
});

it("does not end a hurricane by a list that is no longer updated while its deck is, even without any forecast", () => {
  const read = reader("jtwc");
  const on = list(["al072026", "25T03:00"]);
  const texts = (content: string, stage: string, ...hours: string[]) => ({
    "CurrentStorms.json": content,
    "bal072026.dat": track("AL, 07", stage, hours),
  });
  expect(read("25T03:30", texts(on, "HU", "2418", "2500"))).toMatchObject([{ active: true }]);
  // The list of the other storm was issued at 09 UTC and does not change.
  const other = list(["ep062026", "25T09:00"]);
  const gamma = (time: string, stage: string, ...hours: string[]) =>
    read(time, texts(other, stage, ...hours)).find(({ id }) => id === "AL072026");
  expect(gamma("25T10:00", "HU", "2418", "2500", "2506")).toMatchObject({ active: false });
  // Between two advisories the deck may be ahead of a list that is kept up to date.
  expect(gamma("25T16:30", "HU", "2418", "2500", "2506", "2512")).toMatchObject({ active: false });
  expect(gamma("25T20:00", "HU", "2418", "2500", "2506", "2512", "2518")).toMatchObject({ active: true });
  // The next list leaves the storm out again.
  const next = { ...texts(list(["ep062026", "26T03:00"]), "HU", "2418", "2500", "2506", "2512", "2518") };
  expect(read("26T03:30", next)).toContainEqual(expect.objectContaining({ id: "AL072026", active: false }));
});

it("shows a storm as active at a first reading between its first fix and its first advisory", () => {
  const born = (stage: string) => ({
    "CurrentStorms.json": list(["ep062026", "25T03:00"]),
    "bal072026.dat": track("AL, 07", "DB", ["2418", "2500"]) + track("AL, 07", stage, ["2506"]),
  });
  const first = (time: string, stage: string) =>
    reader("jtwc")(time, born(stage)).find(({ id }) => id === "AL072026");
  expect(first("25T08:00", "TD")).toMatchObject({ active: true });
  // An advisory would have put it on the list by then.
  expect(first("25T15:30", "TD")).toMatchObject({ active: false });
  // A remnant of which a list says nothing has ended.
  expect(first("25T08:00", "LO")).toMatchObject({ active: false });
  // One that is a cyclone for long is ended by a list with a time; an empty one may be as old as it likes.
  const old = (content: string) => ({
    "CurrentStorms.json": content,
    "bal072026.dat": best("AL, 07", "2418", "2500"),
  });
  const dated = reader("jtwc")("25T03:30", old(list(["ep062026", "25T03:00"])));
  expect(dated.find(({ id }) => id === "AL072026")).toMatchObject({ active: false });
  expect(reader("jtwc")("25T03:30", old(list()))).toMatchObject([{ active: true }]);
  expect(reader("jtwc")("25T12:00", old(list()))).toMatchObject([{ active: false }]);
});

it("does not end a storm of the JMA by a list that is older than its bulletins", () => {
  const specifications = (hour: string) =>
    JSON.stringify([
      {
        part: "title",
        typhoonNumber: "2614",
        name: { en: "KUJIRA" },
        issue: { UTC: `2026-09-${hour}:45:00Z` },
      },
      ...[0, 24].map((ahead) => ({
        advancedHours: ahead,
        validtime: {
          UTC: `${new Date((at(`${hour}:00`) + ahead * 3600) * 1000).toISOString().slice(0, 19)}Z`,
        },
        position: { deg: [20 + ahead / 24, 140] },
        maximumWind: { sustained: { kt: "50" } },
        category: { en: "STS" },
        ...(ahead > 0 && { probabilityCircleRadius: { nm: "70" } }),
      })),
    ]);
  const other = JSON.stringify([
    {
      tropicalCyclone: "TC2610",
      typhoonNumber: "2611",
      category: "TD",
      issue: "2026-09-22T09:45:00+09:00",
    },
  ]);
  for (const frozen of [other, "[]"]) {
    const read = reader("jma");
    read("22T01:00", { "targetTc.json": frozen });
    const texts = (hour: string) => ({
      "targetTc.json": frozen,
      "TC2613/specifications.json": specifications(hour),
    });
    for (const hour of ["25T00", "25T06"])
      expect(read(`${hour}:50`, texts(hour))).toMatchObject([
        { id: "WP142026", active: true, forecast: at(`${hour}:00`) },
      ]);
    const changed = JSON.stringify([{ tropicalCyclone: "TC2614", issue: "2026-09-25T18:45:00+09:00" }]);
    expect(read("25T09:50", { ...texts("25T06"), "targetTc.json": changed })).toMatchObject([
      { active: false },
    ]);
  }
});

it("does not revive a storm that its final bulletin has ended, although a list still has it", () => {
  const ended = { by: "text", at: BASE } as const;
  const over = underLists(bulletin({ isFinal: true, ended }), true, BASE);
  expect(over).toMatchObject({ isListed: true, isFinal: true, ended });
  expect(underLists(over, true, BASE + 3600)).toMatchObject({ isFinal: true, ended });
  // One that the list had ended is active again.
  const dropped = underLists(bulletin(), false, BASE);
  expect(dropped).toMatchObject({ isListed: false, isFinal: true, ended: { by: "list" } });
  expect(underLists(dropped, true, BASE + 3600)).toMatchObject({ isListed: true, isFinal: false });
});
