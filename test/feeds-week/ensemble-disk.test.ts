import type { Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import { ensembleQuantities } from "#lib/catalog/ensemble.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { quantityOf } from "#lib/ensemble/step-statistics.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { beginRun } from "#server/archive/writer.ts";
import { fieldsOfProfile } from "#server/ingest/feeds/field-feed.ts";
import { archivedPerFetched } from "#server/ingest/feeds/plan-feeds.ts";
import { temporaryFolder } from "#test/archive.ts";
import { feedNamed } from "./short-feed.ts";
import { weatherOn } from "./weather.ts";

const HOUR_S = 3600;
const CYCLE = Date.UTC(2026, 8, 1) / 1000;
/** Leads, hours: two parts of a cycle, so that shares within three days are among what is stored. */
const LEADS = [0, 6, 12, 18, 24, 30, 36, 42, 120, 126, 132, 138, 144, 150, 156, 162];
const times = LEADS.map((hour) => CYCLE + hour * HOUR_S);

/** A part of the globe with as much sea as all of it, whose frames have two levels as those of a globe of its step. */
const grid: Grid = {
  latitude: { start: -60, step: 0.5, count: 241 },
  longitude: { start: -60, step: 0.5, count: 64 },
};
const nodes = grid.latitude.count * grid.longitude.count;
const weather = weatherOn(grid, CYCLE);

/** Plans that differ in their quantities and members; `THOROUGH=1` tests the others too. */
const shortForm = ["gefs-statistics", "ecmwfenswave-members"];
const others = [
  "gefs-members",
  "gefswave-statistics",
  "gefswave-members",
  "ecmwfens-statistics",
  "ecmwfens-members",
  "ecmwfenswave-statistics",
  "ecmwfaifsens-statistics",
  "ecmwfaifsens-members",
];

it.each(process.env.THOROUGH === "1" ? [...shortForm, ...others] : shortForm)(
  "%s takes as much of the disk as is asked for, within a fifth",
  async (name) => {
    const feed = feedNamed(name);
    const { size, plan } = feed.ensemble!;
    const names = fieldsOfProfile(feed, "full");
    const members = Array.from({ length: size }, (_, member) => member);
    const read = (field: FieldName, step: number) => {
      const all = new Float32Array(size * nodes);
      for (const member of members) all.set(weather(field, times[step]!, member), member * nodes);
      return all;
    };
    const root = temporaryFolder();
    const run = {
      dataset: "Forecast",
      source: name,
      model: name,
      referenceTime: CYCLE,
      grid,
      times,
    } as const;
    const writer = await beginRun(root, { ...run, ensemble: { members, size } });
    if (plan === "members")
      for (const field of names) await writer.writeMembers(field, {}, async (step) => read(field, step));
    for (const quantity of ensembleQuantities) {
      const of = quantity.output.of as readonly FieldName[];
      if (!of.every((field) => names.includes(field))) continue;
      const counted = (step: number) =>
        quantityOf(
          quantity,
          of.map((field) => read(field, step)),
        );
      await writer.writeStatistics(quantity, {}, async (step) => counted(step));
    }
    await writer.writeFrames();
    await writer.publish();

    const { latitude, longitude } = feed.grid!.full;
    const scale = nodes / (latitude.count * longitude.count);
    const asked = times.length * feed.partBytes("full") * archivedPerFetched(feed, "full") * scale;
    const used = await folderArchive(root).usedBytes();
    expect(used / asked).toBeGreaterThan(0.8);
    expect(used / asked).toBeLessThan(1.2);
  },
  120_000,
);
