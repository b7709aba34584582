import { expect, it } from "vitest";
import { DAY_S } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import { fieldsOfProfile } from "#server/ingest/feeds/field-feed.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { runOf } from "#test/archive.ts";
import { feedNamed } from "#test/feeds-week/short-feed.ts";
import { lackingOf, partsOf, planBackfill, type Unit, unitsOf } from "./units.ts";

const HOUR = 3600;
const at = (iso: string) => Date.parse(`${iso}Z`) / 1000;
const now = at("2026-09-01T12:00");
const days = (from: string, to: string) => ({ from: at(`${from}T00:00`), to: at(`${to}T00:00`) + DAY_S });
const keep = keepOf("full", {});
const everything = { wants: () => true };
const unit = (part: Partial<Unit>): Unit => ({
  kind: "recent",
  dataset: "Hindcast-3M",
  from: at("2026-08-03T00:00"),
  to: at("2026-08-04T00:00"),
  every: 1,
  ...everything,
  ...part,
});

it("plans a period of Hindcast-3Y wherever a time is older than 90 days, and a day of Hindcast-3M elsewhere", () => {
  const names = fieldsOfProfile(feedNamed("gfs"), "full");
  const { units } = unitsOf(feedNamed("gfs"), names, keep, days("2026-05-25", "2026-06-15"), now);
  const of = (kind: Unit["kind"]) =>
    units.filter((each) => each.kind === kind).map(({ from, to }) => [from, to]);
  const periods = of("years");
  expect(periods.every(([from, to]) => from! % (10 * DAY_S) === 0 && to! - from! === 10 * DAY_S)).toBe(true);
  expect(periods[0]![0]).toBeLessThanOrEqual(at("2026-05-25T00:00"));
  expect(periods.at(-1)![1]).toBeGreaterThan(now - 90 * DAY_S);
  expect(of("recent")[0]![1]).toBeGreaterThanOrEqual(now - 90 * DAY_S);
  expect(of("recent").at(-1)![1]).toBe(at("2026-06-16T00:00"));
  expect(of("archive")).toHaveLength(22);
});

it("leaves out, with a reason, what no mirror has, what is not over, and what would not be retained", () => {
  const leftOut = (from: string, to: string, kept = keep) =>
    unitsOf(
      feedNamed("gfs"),
      fieldsOfProfile(feedNamed("gfs"), "full"),
      kept,
      days(from, to),
      now,
    ).leftOut.join("\n");
  expect(leftOut("2021-03-01", "2021-03-30", keepOf("full", { years: 9999 * DAY_S }))).toBe(
    "before 2021-03-23: no mirror of gfs has it",
  );
  expect(leftOut("2026-08-30", "2026-09-01")).toBe(
    "from 2026-09-01 on: mirrors do not have the whole day yet",
  );
  expect(leftOut("2026-05-01", "2026-08-01", keepOf("standard", {}))).toContain("KEEP_HINDCAST_3Y");
  expect(leftOut("2026-08-01", "2026-08-02", keepOf("lite", {}))).toContain("KEEP_HINDCAST_3M");
  expect(leftOut("2026-08-01", "2026-08-02")).toBe("");
});

it("takes hours 0 to 5 of each cycle, and from hour 6 only maxima and means of the hours before", () => {
  const parts = partsOf(feedNamed("ecmwf"), "standard", unit({}));
  const leads = parts.map(({ part }) => [part.cycle, (part.times[0]! - part.cycle) / HOUR] as const);
  const base = at("2026-08-03T00:00");
  expect(leads.map(([cycle, lead]) => `${(cycle - base) / HOUR}+${lead}`)).toEqual([
    "-6+6",
    "0+0",
    "0+3",
    "0+6",
    "6+0",
    "6+3",
    "6+6",
    "12+0",
    "12+3",
    "12+6",
    "18+0",
    "18+3",
    "18+6",
    "24+0",
  ]);
  const wanted = (index: number) => {
    const { part, feed } = parts[index]!;
    const objects = feed.objects(part, "standard", feed.mirrors[0]!);
    return objects?.kind === "messages" ? objects.wanted.map(({ element }) => element) : [];
  };
  expect(wanted(0)).toEqual(["10fg"]);
  expect(wanted(2)).toHaveLength(8);
  // Fields that are valid at an instant do not need lead 6.
  expect(partsOf(feedNamed("gfs"), "full", unit({}))).toHaveLength(25);
});

it("fetches only the fields and steps of a unit: no rain for a hindcast, and no step between two of its times", () => {
  const years = unit({ kind: "years", every: 3 * HOUR, wants: (name) => /wind_1/.test(name) });
  const [first] = partsOf(feedNamed("gfs"), "full", years);
  const objects = first!.feed.objects(first!.part, "full", first!.feed.mirrors[0]!);
  expect(
    objects?.kind === "messages" && objects.wanted.map(({ element, level }) => `${element} ${level}`),
  ).toEqual([
    "UGRD 10 m above ground",
    "VGRD 10 m above ground",
    "UGRD 100 m above ground",
    "VGRD 100 m above ground",
  ]);
  expect(partsOf(feedNamed("gfs"), "full", years)).toHaveLength(9);
  const [day, next, ...more] = partsOf(feedNamed("smoc"), "full", years);
  expect([day!.part.times.length, next!.part.times.length, more.length]).toEqual([8, 8, 0]);
});

it("names an older ECMWF cycle of 06 and 18 UTC by the stream of that time", () => {
  const object = (iso: string) => {
    const part = { cycle: at(iso), index: 0, times: [at(iso)] };
    const objects = feedNamed("ecmwf").objects(part, "lite", feedNamed("ecmwf").mirrors[0]!);
    return objects?.kind === "messages" ? objects.object : "";
  };
  expect(object("2026-05-11T18:00")).toBe("20260511/18z/ifs/0p25/scda/20260511180000-0h-scda-fc.grib2");
  expect(object("2026-05-12T00:00")).toContain("-oper-fc");
  expect(object("2026-05-12T06:00")).toContain("-oper-fc");
});

it("finds published runs that have all times and fields of a unit", () => {
  const span = days("2026-08-03", "2026-08-03");
  const noon = at("2026-08-03T12:00");
  const run = (fields: Record<string, object>, times: number[]) =>
    runOf({ dataset: "Hindcast-3M", source: "oisst", referenceTime: span.from, fields, times });
  const units = (runs: ReturnType<typeof run>[]) =>
    planBackfill(feedNamed("oisst"), "standard", keepOf("standard", {}), span, runs, now).units.length;
  expect(units([])).toBe(1);
  expect(units([run({ sea_surface_temperature: {} }, [noon])])).toBe(0);
  expect(units([run({}, [noon])])).toBe(1);
  expect(units([run({ sea_surface_temperature: {} }, [noon - DAY_S])])).toBe(1);
});

it("counts the run that lacks least where a day has runs on two grids", () => {
  const { dataset, from } = unit({});
  const to = from + 3 * HOUR;
  const field = fieldsOfProfile(feedNamed("gfs"), "full")[0]!;
  const times = [from, from + HOUR, from + 2 * HOUR, to];
  const run = (hours: number[]) =>
    ({
      source: feedNamed("gfs").source.name,
      dataset,
      referenceTime: from,
      times: hours.map((hour) => from + hour * HOUR),
      fields: { [field]: {} },
    }) as unknown as Run;
  const lacking = (...runs: Run[]) => lackingOf(runs, feedNamed("gfs"), unit({ to }), [field], times);
  expect(lacking(run([0, 2]), run([0, 1, 2]))).toEqual([]);
  expect(lacking(run([0, 1, 2]), run([0, 2]))).toEqual([]);
  expect(lacking(run([0]), run([0, 2]))).toEqual([from + HOUR]);
  expect(lacking()).toBeUndefined();
});
