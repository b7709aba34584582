import { expect, it } from "vitest";
import { ensembleRequest } from "#lib/contract/ensemble.ts";
import { formatInstant } from "#lib/time.ts";
import { openCatalog, withSources } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader, type PointSource } from "#server/archive/reader.ts";
import type { ChunkStore } from "#server/archive/store.ts";
import { knownSources } from "#server/context/sources.ts";
import { ensembleArchive, ensembleStart } from "#test/ensembles.ts";
import { answerEnsemble } from "./points.ts";

const HOUR = 3600;

it.each([
  ["one after another", false],
  ["at the same time, from a store behind a network", true],
])("a cold request reads each chunk once, although all members need it: fields %s", async (_how, waits) => {
  const { root } = await ensembleArchive({ members: Array.from({ length: 31 }, (_, member) => member) });
  const store = directoryStore(root);
  const ranges: string[] = [];
  const counting: ChunkStore = {
    get: async (key) => store.get(key),
    getRange: async (key, offset, length) => {
      ranges.push(`${key} ${offset} ${length}`);
      return store.getRange(key, offset, length);
    },
  };
  const reader = openReader(counting, { cacheBytes: 8 * 2 ** 20 });
  const source: PointSource = {
    ...withSources(openCatalog(store), knownSources({})),
    valuesAt: (...read) => reader.valuesAt(...read),
    waitsFor: () => waits,
  };
  const points = Array.from({ length: 12 }, (_, hour) => ({
    latitude: 48.5,
    longitude: -5.2,
    timestamp: formatInstant(ensembleStart + hour * HOUR),
  }));
  const request = ensembleRequest.parse({ points, variables: ["wind", "gust", "wave"] });
  const { results } = await answerEnsemble(source, request, ensembleStart, new AbortController().signal);
  expect(results[5]!.conditions.Gust_10m!.members).toBe(31);
  expect(ranges.length).toBeGreaterThan(0);
  expect(new Set(ranges).size).toBe(ranges.length);
});
