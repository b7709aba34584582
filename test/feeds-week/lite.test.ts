import { expect, it } from "vitest";
import { readManifest } from "#server/archive/manifest.ts";
import { selectFeeds } from "#server/ingest/feeds/select-feeds.ts";
import { fieldFeeds } from "#server/ingest/sources/feeds.ts";
import { checkArchive } from "./check-archive.ts";
import { gapsOf } from "./coverage.ts";
import { leadFor, shortFeed } from "./short-feed.ts";
import { simulatedService } from "./simulated-service.ts";

const HOUR_S = 3600;
const START = Date.UTC(2026, 8, 3, 20) / 1000;
const AHEAD_H = 6;
const feeds = selectFeeds("lite", fieldFeeds, []).fields.map(({ name }) =>
  shortFeed(name, leadFor(name, AHEAD_H)),
);

it.each([
  ["NOAA and SMOC", "/atmos/gfs\\.|/wave/gridded/|merged-uv", ["cmemswave", "ecmwf", "hycom"]],
  ["ECMWF, Copernicus and HYCOM", "-oper-fc\\.|cmems_mod_glo|/FMRC_ESPC", ["gfs", "gfswave"]],
  ["nobody", "", ["cmemswave", "ecmwf", "gfs", "gfswave", "hycom", "smoc"]],
])(
  "with FEEDS=lite, %s missing: wind, gust, pressure, waves and currents of who is left answer",
  async (who, match, expected) => {
    await using service = await simulatedService({ feeds, profile: "lite", resolution: 2.5, start: START });
    if (match) service.mirror.faults.add({ fault: "missing", match });
    await service.runUntil(START + HOUR_S);
    const manifest = await readManifest(service.archive);
    expect([...new Set(manifest.runs.map(({ source }) => source))].sort()).toEqual(expected);
    expect((await checkArchive(service.archive, new Set(), 8)).wrong).toEqual([]);
    const now = service.clock.now();
    // Copernicus has waves and currents in one bucket.
    const answered = ["wind", "gust", "pressure", "wave"] as const;
    for (const name of who.includes("HYCOM") ? answered : [...answered, "current" as const])
      expect(gapsOf(manifest, name, { now, since: now, until: now + AHEAD_H * HOUR_S })).toEqual([]);
  },
  120_000,
);
