import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { fields } from "#lib/catalog/fields.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { parseInstant } from "#lib/time.ts";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader } from "#server/archive/reader.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { ingestCommand } from "#server/ingest/command.ts";
import { describeWithSamples } from "#test/samples.ts";
import { answerPoints } from "./points.ts";

/** A case that fixtures/make_oracle.py wrote, with unrounded numbers of eccodes, xarray and numpy. */
interface Case {
  source: string;
  file: string;
  now: string;
  variables: VariableName[];
  wind_height?: number;
  points: {
    latitude: number;
    longitude: number;
    timestamp: string;
    conditions: Record<string, number | null>;
  }[];
}

const cases = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "fixtures/real-input.oracle.json"), "utf8"),
) as Case[];

const folder = mkdtempSync(path.join(tmpdir(), "real-input-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeWithSamples(
  "answers from the real files equal eccodes and xarray, within rounding and packing",
  (samples) => {
    it.each(
      cases.map((one) => ({
        ...one,
        title: `${one.source}: ${one.variables.join(", ")}${one.wind_height ? ` at ${one.wind_height} m` : ""}`,
      })),
    )("$title", async ({ source, file, now, variables, wind_height, points }) => {
      const archive = path.join(folder, `${source}-${wind_height ?? 10}`);
      const lines: string[] = [];
      const out = { write: (text: string) => lines.push(text) > 0 };
      const signal = new AbortController().signal;
      const code = await ingestCommand([source, "--from", path.join(samples, file)], {
        openArchive: async () => folderArchive(archive),
        out,
        err: out,
        signal,
      });
      expect(code, lines.join("")).toBe(0);

      const store = directoryStore(archive);
      const catalog = openCatalog(store);
      const reader = openReader(store, { cacheBytes: 2 ** 26 });
      const request = pointRequest(1000).parse({
        points: points.map(({ latitude, longitude, timestamp }) => ({ latitude, longitude, timestamp })),
        variables,
        wind_height,
      });
      const readable = { ...catalog, valuesAt: reader.valuesAt.bind(reader) };
      const { results } = await answerPoints(readable, request, parseInstant(now), signal);

      expectWithin(results, points, variables);
    });
  },
);

function expectWithin(
  results: readonly { conditions: Record<string, number | null> }[],
  points: Case["points"],
  variables: readonly VariableName[],
): void {
  const outputs = new Map<string, Output>(
    variables
      .flatMap((name): readonly Output[] => variable(name).outputs)
      .map((output) => [output.point, output]),
  );
  let compared = 0;
  points.forEach(({ conditions }, index) => {
    for (const [key, expected] of Object.entries(conditions)) {
      const got = results[index]?.conditions[key];
      // A calm has no direction, and at its edge the packing decides.
      if ((conditions[key.replace("Direction", "Intensity")] ?? 1) < 0.01) continue;
      const where = `${key} at point ${index}: ${got} for ${expected}`;
      if (expected === null) {
        expect(got, where).toBeNull();
        continue;
      }
      expect(got, where).not.toBeNull();
      const output = outputs.get(key)!;
      const difference = Math.abs(got! - expected);
      const apart = output.unit === "°" ? Math.min(difference, 360 - difference) : difference;
      expect(apart, where).toBeLessThanOrEqual(tolerance(output, conditions));
      compared++;
    }
  });
  expect(compared).toBeGreaterThan(points.length / 4);
}

/** Half of the last decimal, plus the effect of half a packing step. */
function tolerance(output: Output, conditions: Record<string, number | null>): number {
  const rounding = 0.5 * 10 ** -output.decimals;
  const step = Math.SQRT1_2 * fields[output.of[0]].scale;
  if (output.unit !== "°") return rounding + step + 1e-6;
  if (output.is === "bearing") return rounding + 0.05;
  const speed = conditions[output.point.replace("Direction", "Intensity")] ?? 1;
  return rounding + (Math.atan2(step, Math.max(speed, 1e-6)) * 180) / Math.PI + 1e-6;
}
