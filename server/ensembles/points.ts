import { type Output, variable } from "#lib/catalog/variables.ts";
import type { EnsembleRequest, EnsembleResponse } from "#lib/contract/ensemble.ts";
import { ensembleCaution } from "#lib/ensemble/caution.ts";
import { withManifest } from "#server/archive/catalog.ts";
import type { Aged } from "#server/archive/describe-run.ts";
import { ensembleFor, manifestOfEnsemble, membersOfRuns } from "#server/archive/ensembles.ts";
import { columnsOf } from "#server/archive/read-variables.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Manifest } from "#server/archive/run.ts";
import { describeEnsemble, distribute, type Part, readEnsemble } from "./read.ts";

type Result = EnsembleResponse["result"];

/** Answer of POST /MetOcean/ensemble. */
export interface EnsembleAnswer {
  results: Result["results"];
  meta: Result["meta"] & { provenance?: undefined };
  ages: Aged[];
  synthetic: boolean;
}

/**
 * Answers points from an ensemble. The numbers are computed from the members at the place and time where the run keeps
 * them, and otherwise from stored statistics of the nodes around; `meta.ensembles[].from` says which.
 *
 * @param now Weather clock when the request was accepted, Unix seconds.
 */
export function answerEnsemble(
  source: PointSource,
  request: EnsembleRequest,
  now: number,
  signal: AbortSignal,
): Promise<EnsembleAnswer> {
  return withManifest(source, (manifest) => answerFrom(manifest, source, request, now, signal));
}

async function answerFrom(
  manifest: Manifest,
  source: PointSource,
  request: EnsembleRequest,
  now: number,
  signal: AbortSignal,
): Promise<EnsembleAnswer> {
  const points = columnsOf(request.points);
  const names = [...new Set(request.variables)];
  const ensemble = request.ensemble ?? ensembleFor(manifest, names) ?? "";
  const runs = manifestOfEnsemble(manifest, ensemble);
  const parts = await readEnsemble(source, runs, points, names, request, now, signal);

  const all = parts.flatMap(({ groups }) => groups.map(({ run }) => run));
  const members = membersOfRuns(all);
  const keys = names.flatMap((name) => variable(name).outputs.map(({ point }) => point));
  const results: EnsembleAnswer["results"] = request.points.map(({ latitude, longitude, timestamp }) => ({
    coordinates: { latitude, longitude, timestamp },
    conditions: Object.fromEntries(keys.map((key) => [key, null])),
  }));
  for (const part of parts)
    await distribute(
      part,
      request,
      members,
      ({ point }, index, distribution) => {
        results[index]!.conditions[point] = distribution;
      },
      signal,
    );

  const ensembles = parts.flatMap(({ name, groups }) =>
    groups.map(({ run, indices }) => {
      const times = Array.from(indices, (index) => points.time[index]!);
      return describeEnsemble(name, run, times, times.length, request, now);
    }),
  );
  const synthetic = all.some(({ provenance }) => provenance === "synthetic");
  return {
    results,
    meta: {
      ensembles,
      members,
      nulls: parts.flatMap((part) => nullsOf(part, results)),
      caution: ensembleCaution(all),
      ...(synthetic && { synthetic }),
    },
    ages: ensembles,
    synthetic,
  };
}

/** Why points have no values of a variable. */
function nullsOf(
  { name, groups, unanswered }: Part,
  results: EnsembleAnswer["results"],
): Result["meta"]["nulls"] {
  const outputs: readonly Output[] = variable(name).outputs;
  const nulls: Result["meta"]["nulls"] = unanswered.map(({ reason, indices }) => ({
    variable: name,
    reason,
    points: indices,
  }));
  const missing = groups
    .flatMap(({ indices }) => Array.from(indices))
    .filter((index) => outputs.every(({ point }) => results[index]!.conditions[point] === null))
    .sort((a, b) => a - b);
  if (missing.length > 0) nulls.push({ variable: name, reason: "missing", points: missing });
  return nulls;
}
