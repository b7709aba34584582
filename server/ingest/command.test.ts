import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { folderArchive } from "#server/archive/run-archive.ts";
import { removeScratch, scratch } from "#test/ingest.ts";
import { ingestCommand } from "./command.ts";

afterAll(removeScratch);

const smoc = join(import.meta.dirname, "netcdf/fixtures/smoc_R20260715.nc");

/** Runs the command. @returns Exit code and output. */
async function run(args: string[], { isTTY = false, signal = new AbortController().signal } = {}) {
  const [seen, complaints]: string[][] = [[], []];
  const archive = await scratch();
  const code = await ingestCommand(args, {
    openArchive: async () => folderArchive(archive),
    out: { write: (text) => void seen!.push(text), isTTY },
    err: { write: (text) => void complaints!.push(text) },
    signal,
  });
  return { code, out: seen!.join(""), err: complaints!.join("") };
}

it("prints in plain lines what it found, wrote and published", async () => {
  const { code, out, err } = await run(["cmems", "--from", smoc]);
  expect([code, err]).toEqual([0, ""]);
  const id = /run (Forecast\.cmems\.20260715T00Z\.[0-9a-f]{16})/.exec(out)?.[1];
  expect(out.split("\n")).toEqual([
    `Reading ${smoc}`,
    "6 fields in 1 message: 6 used, 0 ignored, 0 rejected",
    "  surface_eastward_sea_water_velocity",
    "  surface_northward_sea_water_velocity",
    "  map frames",
    `Published: run ${id}`,
    "  2 fields, 6 × 12 cells, 3 steps: 2026-07-16T00:00:00Z to 2026-07-16T02:00:00Z; base time 2026-07-15T00:00:00Z",
    "",
  ]);
});

it("reads a directory recursively, without the notes that accompany data files", async () => {
  const folder = await scratch();
  await mkdir(join(folder, "day"));
  await copyFile(smoc, join(folder, "day/smoc.nc"));
  for (const name of ["README.md", "smoc.nc.idx", ".hidden"]) await writeFile(join(folder, name), "words");
  const { code, out } = await run(["cmems", "--from", folder]);
  expect(code).toBe(0);
  expect(out.match(/^Reading .*$/gm)).toEqual([`Reading ${join(folder, "day/smoc.nc")}`]);
});

it("follows links to files", async () => {
  const folder = await scratch();
  const link = join(folder, "linked.nc");
  await symlink(smoc, link);
  await symlink(import.meta.dirname, join(folder, "to-a-directory"));
  const { code, out } = await run(["cmems", "--from", folder]);
  expect(code).toBe(0);
  expect(out.match(/^Reading .*$/gm)).toEqual([`Reading ${link}`]);
  const lost = join(folder, "lost.nc");
  await symlink(join(folder, "nowhere"), lost);
  expect((await run(["cmems", "--from", folder])).err).toContain(`rejected: ${lost}, file:`);
});

it.each([
  ["an unknown source", ["gsf", "--from", smoc], /There is no source "gsf"; there are gfs, ecmwf, /],
  ["no source", ["--from", smoc], /Which source\?/],
  ["no file", ["gfs"], /--from names the file or directory/],
  [
    "a dataset in which nobody would find it",
    ["cmems", "--from", smoc, "--dataset", "Static"],
    /cmems cannot go to Static: Static holds what does not change with time/,
  ],
  [
    "the depth among forecasts",
    ["etopo", "--from", smoc, "--dataset", "Forecast"],
    /etopo cannot go to Forecast/,
  ],
  ["an unknown dataset", ["gfs", "--from", smoc, "--dataset", "Hindcast"], /there are Forecast, Hindcast-3M/],
  ["an unknown option", ["gfs", "--form", smoc], /Unknown option '--form'/],
  ["a memory of nothing", ["gfs", "--from", smoc, "--max-memory", "some"], /at least 64/],
])("explains %s with the usage, and exits 2", async (_, args, reason) => {
  const { code, err } = await run(args);
  expect(code).toBe(2);
  expect(err).toMatch(reason);
  expect(err).toContain("Usage: ingest <source> --from");
});

it.each([
  [
    "a file that is not there",
    ["gfs", "--from", "/nowhere/gfs"],
    "There is no file or directory /nowhere/gfs\n",
  ],
  ["a device", ["gfs", "--from", "/dev/null"], "/dev/null is neither a file nor a directory\n"],
  ["a file of another feed", ["gfs", "--from", smoc], "The files hold nothing that the source gfs reads\n"],
])("reports %s in one line, and exits 1", async (_, args, text) => {
  expect(await run(args)).toMatchObject({ code: 1, err: text });
});

it("stops on its signal, and publishes nothing", async () => {
  const { code, out, err } = await run(["cmems", "--from", smoc], { signal: AbortSignal.abort() });
  expect([code, err]).toEqual([130, "Stopped; what was not yet published is removed.\n"]);
  expect(out).not.toContain("Published");
});
