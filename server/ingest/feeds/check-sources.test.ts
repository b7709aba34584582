import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { compileOwnSource, ownSourceSchema } from "#server/ingest/sources/own-source.ts";
import { temporaryFolder } from "#test/archive.ts";
import type { FeedsCommandDeps } from "./feed-deps.ts";
import { checkSources } from "./feeds-command.ts";

const own = fileURLToPath(new URL("../sources/fixtures/own/", import.meta.url));

function feed(base: string, fields: object) {
  const read = ownSourceSchema.parse({
    name: "wrf",
    credit: "us",
    cycles: { every: 24 },
    delay: { first: 6, whole: 7 },
    leads: ["0-2"],
    mirrors: [{ base, headers: { Authorization: "Bearer {env:TOKEN}" } }],
    files: "{YYYY}{MM}{DD}{HH}/WRFPRS_d01.{FF}",
    fields,
  });
  return compileOwnSource(read, () => "secret");
}

async function check(base: string, fields: object) {
  let out = "";
  const deps = {
    env: { feeds: { sources: "", mirror: undefined, contact: undefined, bytesADay: 1e9 } },
    out: { write: (text: string) => (out += text) },
    version: "1",
    clock: { now: () => Date.UTC(2026, 0, 1, 12) / 1000 },
    signal: new AbortController().signal,
  } as unknown as FeedsCommandDeps;
  const code = await checkSources([feed(base, fields)], deps);
  expect(out).not.toContain("secret");
  return { code, out };
}

const t2 = { air_temperature: { grib: [0, 0, 0], level: [103, 2], units: "K" } };

it("reports what a source's newest file would give, and publishes nothing", async () => {
  const { code, out } = await check(join(own, "wrf"), t2);
  expect(out).toMatch(/2026010100\/WRFPRS_d01\.01/);
  expect(out).toMatch(/grid: latitudes 53\.055 to 56\.133, longitudes 2\.8 to 9\.52/);
  expect(out).toMatch(/air_temperature: .* degC/);
  expect(code).toBe(0);
});

it("names a missing field, missing files and damaged files", async () => {
  const cape = { grib: [0, 7, 6], level: [1], units: "J kg-1" };
  const lacking = await check(join(own, "wrf"), {
    ...t2,
    atmosphere_convective_available_potential_energy: cape,
  });
  expect(lacking.out).toMatch(/not found in it: atmosphere_convective/);
  const absent = await check(join(temporaryFolder(), "nowhere"), t2);
  expect(absent.out).toMatch(/not published/);
  const folder = temporaryFolder();
  cpSync(join(own, "oracle.json"), join(folder, "2026010100/WRFPRS_d01.01"));
  const damaged = await check(folder, t2);
  expect(damaged.out).toMatch(/not fetched: folder: the file is neither GRIB nor NetCDF/);
  expect([lacking.code, absent.code, damaged.code]).toEqual([1, 1, 1]);
});
