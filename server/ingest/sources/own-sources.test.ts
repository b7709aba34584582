import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { decodeStep } from "#server/ingest/decode-step.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { hostRules } from "#server/ingest/feeds/feed-deps.ts";
import { fetchPart } from "#server/ingest/feeds/fetch-part.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { findMessages } from "#server/ingest/feeds/find-messages.ts";
import { planParts } from "#server/ingest/feeds/publish-segment.ts";
import type { Fetcher } from "#server/platform/fetching/fetcher.ts";
import { temporaryFolder } from "#test/archive.ts";
import { fetchingTest } from "#test/fetching.ts";
import { stored } from "#test/object-server.ts";
import { describeWithSamples } from "#test/samples.ts";
import { readOwnSources } from "./own-source.ts";

// The examples of the page run unchanged; see fixtures/make_own.py.
const page = readFileSync(new URL("../../../docs/own-sources.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```yaml\n(# sources\/(\S+)\n[^`]*)```/g)].map(([, text, name]) => ({
  name: name!,
  text: text!,
}));
const own = fileURLToPath(new URL("./fixtures/own/", import.meta.url));
const oracle = JSON.parse(readFileSync(join(own, "oracle.json"), "utf8"));
const cycle = Date.UTC(2026, 0, 1) / 1000;
const { signal } = new AbortController();
const decoder = createDecoder();
afterAll(() => decoder.close());

async function folderOf(files: readonly { name: string; text: string }[]): Promise<string> {
  const folder = join(await temporaryFolder(), "sources");
  mkdirSync(join(folder, "built-in"), { recursive: true });
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  return folder;
}

const sourcesOf = async (files: readonly { name: string; text: string }[]): Promise<FieldFeed[]> =>
  readOwnSources(await folderOf(files), ["gfs", "jma"]);

const inFixtures = (text: string) => text.replace("/data/wrf", join(own, "wrf"));

/** A source with a file for each field, packed by bzip2. */
const packed = `# sources/regional.yaml
name: regional
title: Regional
credit: an office
cycles: { every: 6 }
delay: { first: 2.7, whole: 4 }
leads: ["1-48"]
mirrors:
  - base: https://data.example/regional/grib
    keepHours: 24
files: "{HH}/{param}/regional_{YYYY}{MM}{DD}{HH}_{FFF}_{PARAM}.grib2.bz2"
megabytes: 4
fields:
  eastward_wind_10m: { param: u_10m, grib: [0, 2, 2], level: [103, 10], units: m s-1 }
  northward_wind_10m: { param: v_10m, grib: [0, 2, 3], level: [103, 10], units: m s-1 }
  wind_speed_of_gust: { param: vmax_10m, grib: [0, 2, 22], level: [103, 10], time: maximum, units: m s-1 }
  air_pressure_at_mean_sea_level: { param: pmsl, grib: [0, 3, 1], level: [101], units: Pa }
  air_temperature: { param: t_2m, grib: [0, 0, 0], level: [103, 2], units: K }
`;

/** Folders of fixtures by host. */
const hosts = {
  "data.example/regional/grib": "regional",
  "ecmwf-forecasts.s3.eu-central-1.amazonaws.com": "aifs",
};

/** The values of one lead, by field. */
async function valuesOf(feed: FieldFeed, lead: number): Promise<Map<string, Float32Array>> {
  const test = await fetchingTest();
  onTestFinished(() => test[Symbol.asyncDispose]());
  for (const [base, folder] of Object.entries(hosts))
    for (const file of readdirSync(join(own, folder), { recursive: true, withFileTypes: true }))
      if (file.isFile()) {
        const path = join(file.parentPath, file.name);
        test.server.objects.set(`/${base}/${relative(join(own, folder), path)}`, stored(readFileSync(path)));
      }
  const fetcher = test.fetcher({ hosts: hostRules([feed]) });
  const part = feed.parts(cycle, "lite").find(({ times }) => times[0] === cycle + lead * 3600)!;
  const clock = { now: () => cycle + 5 * 3600 };
  const options = { fetcher, folder: join(await temporaryFolder(), "part"), clock, signal };
  const fetched = await fetchPart(feed, part, "lite", options);
  if (fetched === "absent") throw new Error("absent");
  const request = { feed, cycle, files: [{ part, file: fetched.file }], times: part.times };
  const { plan } = await planParts(decoder, request, signal);
  const values = new Map<string, Float32Array>();
  for (const { name, steps } of plan.fields)
    values.set(name, await decodeStep(decoder, name, steps[0]!, signal));
  return values;
}

/** Compares within 1e-4 of the range. On the edge of a grid one of the two may find a point outside. */
function expectSame(found: Float32Array, deflated: string, convert = (value: number) => value): void {
  const bytes = inflateSync(Buffer.from(deflated, "base64"));
  const expected = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4).map(convert);
  expect(found.length).toBe(expected.length);
  const known = expected.filter((value) => !Number.isNaN(value));
  const range = Math.max(...known) - Math.min(...known);
  let worst = 0;
  let compared = 0;
  for (const [i, right] of expected.entries()) {
    if (Number.isNaN(right) || Number.isNaN(found[i])) continue;
    compared++;
    worst = Math.max(worst, Math.abs(found[i]! - right) / range);
  }
  expect(compared).toBeGreaterThan(0.99 * known.length);
  expect(worst).toBeLessThan(1e-4);
}

describe("the examples of docs/own-sources.md", () => {
  it("give AIFS by its index, as eccodes reads it", async () => {
    const [feed] = await sourcesOf(examples);
    const values = await valuesOf(feed!, 6);
    const { u, v, p, t } = oracle.aifs;
    expectSame(values.get("eastward_wind_10m")!, u);
    expectSame(values.get("northward_wind_10m")!, v);
    expectSame(values.get("air_pressure_at_mean_sea_level")!, p, (value) => value / 100);
    expectSame(values.get("air_temperature")!, t, (value) => value - 273.15);
  });

  it("give WRF on a Lambert grid with winds along it, as cdo interpolates it", async () => {
    const [, feed] = await sourcesOf(examples.map(({ name, text }) => ({ name, text: inFixtures(text) })));
    const values = await valuesOf(feed!, 1);
    const { u, v, p, t } = oracle.wrf;
    expectSame(values.get("eastward_wind_10m")!, u);
    expectSame(values.get("northward_wind_10m")!, v);
    expectSame(values.get("air_pressure_at_mean_sea_level")!, p, (value) => value / 100);
    expectSame(values.get("air_temperature")!, t, (value) => value - 273.15);
  });
});

it("read a model with a file for each field, packed by bzip2 in one stream or two, as eccodes reads it", async () => {
  const [feed] = await sourcesOf([{ name: "regional.yaml", text: packed }]);
  const values = await valuesOf(feed!, 1);
  const { u, v, gust, p, t } = oracle.regional;
  expectSame(values.get("eastward_wind_10m")!, u);
  expectSame(values.get("northward_wind_10m")!, v);
  expectSame(values.get("wind_speed_of_gust")!, gust);
  expectSame(values.get("air_pressure_at_mean_sea_level")!, p, (value) => value / 100);
  expectSame(values.get("air_temperature")!, t, (value) => value - 273.15);
});

describeWithSamples("the example of AIFS", (samples) => {
  it("use the words of a real index", async () => {
    const [feed] = await sourcesOf(examples);
    const base = Date.UTC(2025, 2, 1) / 1000;
    const objects = feed!.objects(
      { cycle: base, index: 1, times: [base + 6 * 3600] },
      "lite",
      feed!.mirrors[0]!,
    );
    if (objects?.kind !== "messages") throw new Error("AIFS has an index");
    expect(objects.index.object).toBe("20250301/00z/aifs-single/0p25/oper/20250301000000-6h-oper-fc.index");
    const index = readFileSync(join(samples, "idx/aifs_single_20250301_00z_6h.index"), "utf8");
    const found = findMessages(index, "ecmwf", objects.wanted, { cycle: base, lead: 6 });
    expect(found).toMatchObject({ lacking: [], messages: { length: 4 } });
    const bytes = found.messages.reduce((sum, { length = Number.NaN }) => sum + length, 0);
    expect(bytes / feed!.partBytes("lite")).toBeCloseTo(0.85, 1);
  });
});

it("read the curvilinear files of WRF itself, as cdo interpolates them", async () => {
  const [, wrf] = examples.map(({ text }) => inFixtures(text));
  const [, files] = /```yaml\n(files: "wrfout[^`]*)```/.exec(page)!;
  // File names in a repository cannot contain colons.
  const text = `${wrf!.slice(0, wrf!.indexOf("files:"))}${files!.replace(":00:00", "_00_00")}`;
  const [feed] = await sourcesOf([{ name: "wrf.yaml", text }]);
  const values = await valuesOf(feed!, 1);
  const { u, v, t } = oracle.wrf;
  expectSame(values.get("eastward_wind_10m")!, u);
  expectSame(values.get("northward_wind_10m")!, v);
  expectSame(values.get("air_temperature")!, t, (value) => value - 273.15);
});

/** WRF's own files. */
const netcdf = examples[1]!.text.replace(/files:.*/s, /```yaml\n(files: "wrfout[^`]*)```/.exec(page)![1]!);

describe("a file that is wrong is named, with the line and what is allowed", () => {
  const text = packed;
  it.each([
    [
      "an unknown key",
      text.replace("credit:", "licence:"),
      /a\.yaml:\d+: licence: there is no such key; there are name, title, credit/,
    ],
    [
      "an unknown field",
      text.replace("air_temperature:", "temperature:"),
      /a\.yaml:\d+: fields\.temperature: there is no such field; there are air_pressure/,
    ],
    [
      "unknown units",
      text.replace("units: K", "units: furlong"),
      /a\.yaml:18: fields\.air_temperature\.units: "furlong" is not known where degC/,
    ],
    [
      "an unknown placeholder",
      text.replace("{FFF}", "{LEAD}"),
      /a\.yaml:11: files: there is no \{LEAD\}; there are \{YYYY\}/,
    ],
    ["no YAML", text.replace("cycles: { every: 6 }", "cycles: { every: 6"), /a\.yaml:\d+: /],
    [
      "a secret that is not there",
      text.replace("    keepHours: 24", '    headers: { Authorization: "Bearer {env:NO_SUCH_TOKEN}" }'),
      /a\.yaml:10: mirrors\.0\.headers\.Authorization: the environment has no NO_SUCH_TOKEN/,
    ],
    [
      "a day that does not exist",
      text.replace("cycles:", 'ended: "2026-02-30"\ncycles:'),
      /a\.yaml:5: ended: /,
    ],
    ["a step of 0", text.replace("1-48", "1-48/0"), /a\.yaml:7: leads\.0: a lead in hours, or a range such/],
    ["leads backwards", text.replace("1-48", "48-1"), /a\.yaml:7: leads\.0: .*not backwards/],
    ["an invalid URL", text.replace(/https:\S+/, '"https://[bad/x"'), /mirrors\.0\.base: .*not a valid URL/],
    ["no fields", text.replace(/fields:.*/s, "fields: {}"), /a\.yaml:\d+: fields: at least one field/],
    [
      "a profile's name",
      text.replace("name: regional", "name: lite"),
      /name: a name of its own: none, all, lite/,
    ],
    [
      "a feed's name",
      text.replace("name: regional", "name: jma"),
      /a\.yaml:2: name: jma is a feed .* gfs, jma/,
    ],
    [
      "a password in the address",
      text.replace("https://", "https://me:hush@"),
      /a\.yaml:9: mirrors\.0\.base: a URL without user, .*\{env:NAME\}$/,
    ],
    [
      "a query in the address",
      text.replace("regional/grib", "regional/grib?key=1"),
      /mirrors\.0\.base: a URL with/,
    ],
    [
      "one component along the grid",
      netcdf.replace("V10, along: grid", "V10"),
      /a\.yaml:\d+: fields\.northward_wind_10m: it needs `along: grid` as eastward_wind_10m has it/,
    ],
    [
      "a name that two cycles share",
      netcdf.replace("0-2", "0-24"),
      /a\.yaml:\d+: files: it needs the base time, \{YYYY\} .* 24 h later, so that two cycles/,
    ],
    [
      "the hour without the day",
      netcdf.replace(/files: \S+/, 'files: "wrf_{HH}.nc"'),
      /a\.yaml:\d+: files: it needs the day, \{DD\} or \{VDD\}: the hour alone names the same file every day/,
    ],
    ...(
      [
        ["every: 6", "every: 1e-300", "cycles.every"],
        ["every: 6", "every: 1e300", "cycles.every"],
        ["first: 2.7", "first: 1e300", "delay.first"],
        ["megabytes: 4", "megabytes: 1e-300", "megabytes"],
        ["megabytes: 4", "megabytes: 1e300", "megabytes"],
        ["keepHours: 24", "keepHours: 1e300", "mirrors.0.keepHours"],
        ["keepHours: 24", "requestsPerMinute: 0", "mirrors.0.requestsPerMinute"],
        ["keepHours: 24", "requestsPerMinute: 1e9", "mirrors.0.requestsPerMinute"],
        ["level: [103, 2]", "level: [103, 1e300]", "fields.air_temperature.level.1"],
        ['["1-48"]', `[${"1, ".repeat(101)}]`, "leads"],
        ['["1-48"]', "[1e300]", "leads.0"],
        ["mirrors:\n", `mirrors:\n${"  - base: /data/here\n".repeat(10)}`, "mirrors"],
        ["title: Regional", `title: ${"long ".repeat(101)}`, "title"],
      ] as const
    ).map(([from, to, key]): [string, string, RegExp] => [
      `a value out of bounds, ${to.slice(0, 30)}`,
      text.replace(from, to),
      new RegExp(`a\\.yaml:\\d+: ${key.replaceAll(".", "\\.")}: Too (small|big)`),
    ]),
    ["half hours in names", text.replace('["1-48"]', "[1, 1.5]"), /a\.yaml:7: leads: they need whole hours/],
    [
      "a header that cannot be sent",
      text.replace("    keepHours: 24", '    headers: { Authorization: "hush\\n" }'),
      /a\.yaml:10: mirrors\.0\.headers\.Authorization: it has characters that no header may have$/,
    ],
    [
      "no name of a header",
      text.replace("    keepHours: 24", "    headers: { Proxy Authorization: x }"),
      /mirrors\.0\.headers\.Proxy Authorization: this is not the name of a header/,
    ],
    [
      "a thousand unknown keys",
      `${Array.from({ length: 1000 }, (_, i) => `key${i}:\n`).join("")}${text}`,
      /^(.*a\.yaml:\d+: key\d: there is no such key.*\n){10}and 990 more$/,
    ],
    [
      "more keys than are read",
      Array.from({ length: 200_000 }, (_, i) => `key${i}:\n`).join(""),
      /a\.yaml: it has 2088890 bytes; at most 32768 are read/,
    ],
    [
      "an alias",
      text.replace("title: Regional", "title: &t x").replace(/credit: .*/, "credit: *t"),
      /a\.yaml: /,
    ],
  ])("%s", async (_, wrong, message) => {
    await expect(sourcesOf([{ name: "a.yaml", text: wrong }])).rejects.toThrow(message);
  });
});

it("does not publish a NetCDF file of another base time", async () => {
  const sections = {
    leads: "leads: [0]",
    files:
      'files: "{YYYY}{MM}{DD}.nc"\nfields:\n  surface_eastward_sea_water_velocity: { variable: utotal }\n',
  };
  const text = netcdf.replace(/leads:.*/, sections.leads).replace(/files:.*/s, sections.files);
  const [feed] = await sourcesOf([{ name: "currents.yaml", text }]);
  const file = fileURLToPath(new URL("../netcdf/fixtures/smoc_R20260715.nc", import.meta.url));
  const planned = (day: number, lead: number) => {
    const base = Date.UTC(2026, 6, day) / 1000;
    const part = { cycle: base, index: 0, times: [base + lead * 3600] };
    return planParts(
      decoder,
      { feed: feed!, cycle: base, files: [{ part, file }], times: part.times },
      signal,
    );
  };
  expect((await planned(15, 24)).plan.times).toHaveLength(1);
  await expect(planned(16, 0)).rejects.toThrow(/of the cycle 2026-07-15T00:00:00Z, not of 2026-07-16T00:00/);
});

it("sends a mirror's credentials only with its own requests, not with those of other mirrors on its host", async () => {
  const test = await fetchingTest();
  onTestFinished(() => test[Symbol.asyncDispose]());
  const asked: (object | undefined)[] = [];
  const fetcher: Fetcher = {
    get: async (_, { headers }) => {
      asked.push(headers);
      return { kind: "absent" };
    },
    close() {},
  };
  const [feed] = await sourcesOf([{ name: "a.yaml", text: packed }]);
  const [mirror] = feed!.mirrors;
  const secret = { authorization: "Bearer secret" };
  const mirrors = [{ ...mirror!, headers: secret }, mirror!, { ...mirror!, headers: { "x-key": "other" } }];
  const options = { fetcher, folder: await temporaryFolder(), clock: { now: () => cycle }, signal };
  expect(await fetchPart({ ...feed!, mirrors }, feed!.parts(cycle, "lite")[0]!, "lite", options)).toBe(
    "absent",
  );
  expect(asked).toEqual([secret, undefined, { "x-key": "other" }]);
  // FEED_MIRROR is another host.
  test.server.objects.set("/data.example/a/x", stored(Buffer.from("x")));
  await test.get("https://data.example/a/x", { headers: secret });
  expect(JSON.stringify(test.server.requests)).not.toContain("secret");
});
