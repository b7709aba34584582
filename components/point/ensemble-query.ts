import { queryOptions, useQuery } from "@tanstack/react-query";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { ensemblesQuery } from "#components/api-client/listed-ensembles.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { ensembleQuantities, storedPercentiles } from "#lib/catalog/ensemble.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import type { Distribution, EnsembleResponse } from "#lib/contract/ensemble.ts";
import type { MemberSeries } from "#lib/ensemble/counts.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { pointsBody } from "./conditions-at.ts";
import { askPoints, type PointSample, seriesTimes } from "./point-queries.ts";

type Reply = EnsembleResponse["result"];

/** The distribution of the members of an ensemble at a place, by field of the answer, at a time in Unix seconds. */
interface EnsembleRow {
  time: number;
  conditions: Readonly<Record<string, Distribution | null | undefined>>;
}

/** The members of an ensemble at a place, hour by hour. */
export interface EnsembleSeries {
  rows: readonly EnsembleRow[];
  meta: Reply["meta"];
}

/** Quantities with limits, of which the panel shows members. */
const variables: readonly VariableName[] = ensembleQuantities
  .filter(({ thresholds }) => thresholds.length > 0)
  .map(({ variable }) => variable);

/** No ensemble has shorter steps, so that values between these say nothing more. */
const STEP_S = 3 * HOUR_S;

/**
 * Asks the members of the first ensemble about a place, in one request: at steps of the coming days, and at the present
 * hour.
 *
 * @param now Weather clock, Unix seconds.
 */
export function ensembleQuery({ apiKey, place }: Pick<PointSample, "apiKey" | "place">, now: number) {
  const { latitude, longitude } = place;
  const times = seriesTimes(now, now).filter((time) => time % STEP_S === 0 || time === startOfHour(now));
  const { points } = pointsBody({ latitude, longitude }, times, []);
  const body = { points, variables, percentiles: storedPercentiles, members: true };
  return queryOptions({
    queryKey: ["point-ensemble", apiKey, body] as const,
    queryFn: async ({ signal }): Promise<EnsembleSeries> => {
      const request = { key: apiKey, body, signal };
      const { result } = await askPoints<EnsembleResponse>("/MetOcean/ensemble", request, (schemas) =>
        schemas.ensemble.or(schemas.failure),
      );
      return {
        rows: result.results.map(({ coordinates, conditions }) => ({
          time: parseInstant(coordinates.timestamp),
          conditions,
        })),
        meta: result.meta,
      };
    },
    staleTime: 10 * 60_000,
    ...retryPolicy,
  });
}

export const startOfHour = (time: number): number => Math.floor(time / HOUR_S) * HOUR_S;

/** The members of the first ensemble of the archive at the sampled place. */
export function useMembersAt(sample: Pick<PointSample, "apiKey" | "place">, isWanted: boolean) {
  const { now, answered = now } = useClock("now", "answered");
  const listed = useQuery({ ...ensemblesQuery(sample.apiKey), enabled: isWanted }).data;
  const hasOne = isWanted && listed !== undefined && listed.length > 0;
  const series = useQuery({
    // Without the service, the saved hours are those of its last answer.
    ...ensembleQuery(sample, answered),
    enabled: now > 0 && hasOne,
  });
  return {
    /** It is wanted, and the archive has an ensemble of the wind. */
    hasOne,
    /** undefined until it is read, and where it is not wanted. */
    ensemble: hasOne ? series.data : undefined,
    /** The first answer for the place is on its way. */
    isReading: series.isLoading,
  };
}

/**
 * The values of the members of the newest run, from the present hour on. Hours that an older run answers are left out,
 * because its members are others.
 *
 * @param output Name of a response field.
 * @returns The run with them; undefined if it keeps no members.
 */
export function memberSeries(
  { rows, meta }: EnsembleSeries,
  name: VariableName,
  output: string,
  now: number,
) {
  const runs = meta.ensembles.filter(({ variable }) => variable === name);
  const newest = runs.toSorted((one, other) => other.reference_time.localeCompare(one.reference_time))[0];
  if (newest?.from !== "members") return undefined;
  const steps = newest.valid_times.map(parseInstant);
  const [first, last] = [Math.max(startOfHour(now), Math.min(...steps)), Math.max(...steps)];
  const coming = rows.filter(({ time }) => time >= first && time <= last);
  const silent = meta.members.map(() => null);
  const series: MemberSeries = {
    times: coming.map(({ time }) => time),
    values: coming.map(({ conditions }) => conditions[output]?.values ?? silent),
  };
  return { run: newest, series };
}
