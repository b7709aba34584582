import { expect, it } from "vitest";
import { boxEnsemble } from "#lib/contract/ensemble.ts";
import { valueOfEntry } from "#lib/field/map-field.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Manifest } from "#server/archive/run.ts";
import { runOf } from "#test/archive.ts";
import { readEnsembleBox } from "./box.ts";

it("a box of more nodes than are read together has each value at its own node and time", async () => {
  const times = [0, 3600];
  const members = [0, 1];
  const fields = {
    eastward_wind_10m: { members: true as const },
    northward_wind_10m: { members: true as const },
  };
  const run = {
    ...runOf({ source: "gefs", referenceTime: 0, times, fields }),
    ensemble: { members, size: 2 },
  };
  const manifest: Manifest = { version: 1, runs: [run] };
  const latitude = Float64Array.from({ length: 50 }, (_, row) => row);
  const longitude = Float64Array.from({ length: 70 }, (_, column) => column);
  const speedAt = (member: number, row: number, column: number, time: number) =>
    row + column / 100 + (time > 0 ? 100 : 0) + 200 * member;
  const source: PointSource = {
    manifest: async () => manifest,
    refresh: async () => manifest,
    async valuesAt({ member }, field, points, indices, out) {
      for (const at of indices ?? Array(points.count).keys())
        out[at] = field.startsWith("north")
          ? 0
          : speedAt(member!, points.latitude[at]!, points.longitude[at]!, points.time[at]!);
    },
  };
  const read = (asked: object) =>
    readEnsembleBox(
      source,
      manifest,
      { latitude, longitude, times, isRange: true },
      "wind",
      members,
      boxEnsemble.parse(asked),
      0,
      new AbortController().signal,
    );
  const expected = (of: (row: number, column: number, time: number) => number) =>
    times.flatMap((time) =>
      [...latitude].flatMap((row) =>
        [...longitude].map((column) => expect.closeTo(of(row, column, time), 6)),
      ),
    );
  const speeds = ({ field }: Awaited<ReturnType<typeof read>>, name: string) => {
    const { entries, decimals } = field.outputs.find((output) => output.name === name)!;
    return Array.from(entries, (entry) => valueOfEntry(entry, decimals));
  };
  const mean = await read({ statistics: ["mean"] });
  expect(speeds(mean, "Winds_10m_Intensity_mean")).toEqual(
    expected((row, column, time) => speedAt(0.5, row, column, time)),
  );
  const each = await read({ members: true });
  expect(speeds(each, "Winds_10m_Intensity")).toEqual(
    members.flatMap((member) => expected((row, column, time) => speedAt(member, row, column, time))),
  );
  expect(each.meta.provenance[0]).toMatchObject({ points: 50 * 70 * 2 });
});
