import { createHash } from "node:crypto";
import { MILE_KM } from "@open-metocean/geo/sphere";
import { knownDangerArea } from "@open-metocean/storms/danger";
import { type StormProvider, stormProviders } from "@open-metocean/storms/providers";
import { since, steering, type Vessel } from "@open-metocean/storms/track";
import { outputsIn } from "#lib/catalog/fields.ts";
import { BEST } from "#lib/catalog/source-order.ts";
import { passageRequest } from "#lib/contract/passage.ts";
import { shortModelName } from "#lib/model-name.ts";
import { drivingVariables, type Passage } from "#lib/passage/march.ts";
import { questionOf } from "#lib/passage/question.ts";
import { leastDistance, voyageOf } from "#lib/passage/storms-near.ts";
import { HOUR_S } from "#lib/time.ts";
import type { RunFacts } from "#lib/watches/compose.ts";
import {
  arrivedIn,
  type EnsembleEdition,
  providerOf,
  type SourceEdition,
  sourcesOf,
  variablesOf,
} from "#lib/watches/edition.ts";
import type { Judged, NearStorm, Sample } from "#lib/watches/judge.ts";
import { quantities, STORM_NM, TIDE_M } from "#lib/watches/quantities.ts";
import type { TideQuestion } from "#lib/watches/tide.ts";
import { AHEAD_S, LATE_S } from "#lib/watches/tide-extreme.ts";
import { chooseRun } from "#server/archive/choose-run.ts";
import {
  ensemblesIn,
  manifestOfMember,
  membersOfRuns,
  passageManifestOfMember,
  runsOfEnsemble,
  sizeOf,
} from "#server/archive/ensembles.ts";
import { manifestOfModel, passageManifestOf } from "#server/archive/one-model.ts";
import type { PointSource } from "#server/archive/reader.ts";
import { contentOf, isSynthetic, type Manifest, type Run } from "#server/archive/run.ts";
import { evaluatePassages } from "#server/metocean/passages.ts";
import { conditionsAt } from "#server/metocean/points.ts";
import type { Database } from "#server/platform/db.ts";
import type { PublishedStorms } from "#server/storms/published.ts";
import type { StormService } from "#server/storms/storm-service.ts";
import { PredictionError, UnknownStationError } from "#server/tides/errors.ts";
import type { Tides } from "#server/tides/tides.ts";
import type { KnownWorld, Reading, ValueQuestion } from "#server/watches/evaluate.ts";
import { WatchRounds } from "#server/watches/rounds.ts";
import { AlertStore, WatchStore } from "#server/watches/store.ts";

export interface Watches {
  store: WatchStore;
  alerts: AlertStore;
  /** Reads what is published now. */
  look(): Promise<KnownWorld>;
  /** Evaluates watches in this process, in turn with other processes. */
  start(): void;
  close(): Promise<void>;
}

export function openWatches(
  database: Pick<Database, "prisma" | "listen" | "lead">,
  { log, ...deps }: WorldDeps & { log: { warn(fields: object, message: string): void } },
): Watches {
  const tables = database.prisma;
  const store = new WatchStore(tables);
  const look = () => lookAtWorld(deps);
  const rounds = new WatchRounds({
    store,
    lead: database.lead,
    look,
    listen: database.listen,
    log,
  });
  return {
    store,
    alerts: new AlertStore(tables),
    look,
    start: () => rounds.start(),
    close: () => rounds.close(),
  };
}

export interface WorldDeps {
  tides: Pick<Tides, "beyond" | "extremes">;
  archive: PointSource;
  storms: Pick<StormService, "published">;
  weather: { now(): number };
}

type Published = ReadonlyMap<StormProvider, PublishedStorms>;

/**
 * Reads what is published now. Watches read from it the values of POST /MetOcean, passages, and the approach of storms.
 */
export async function lookAtWorld({ archive, storms, weather, tides }: WorldDeps): Promise<KnownWorld> {
  const manifest = await archive.manifest();
  const published = new Map<StormProvider, PublishedStorms>();
  for (const provider of stormProviders) {
    const found = await storms.published(provider);
    if (found) published.set(provider, found);
  }
  const now = weather.now();
  const { sources, models, ensembles } = runsOf(manifest);
  const entries = new Map([...published].map(([provider, found]) => [provider, found.entries]));
  const ages = [...entries].map(([provider, all]) => [
    provider,
    all.map(({ id, is_active, tracks }) => [
      id,
      is_active,
      tracks.forecast?.issued_at,
      tracks.observed.at(-1)?.time,
    ]),
  ]);
  const idsOf = (all: ReadonlyMap<string, SourceEdition>) =>
    [...all].map(([source, { at, ids }]) => [source, at, ids]);
  const members = [...ensembles].map(([name, { sources, arrived }]) => [name, [...arrived], idsOf(sources)]);
  const runs = [idsOf(sources), members];
  const isInvented = isSynthetic(manifest);
  return {
    text: createHash("sha256")
      .update(JSON.stringify([runs, ages]))
      .digest("hex"),
    sources,
    ensembles,
    storms: entries,
    models,
    now,
    synthetic: isInvented || [...published.values()].some(({ synthetic }) => synthetic),
    read: (question, signal, model = BEST) =>
      readingOf(question, {
        manifest: (question.kind === "route" ? passageManifestOf : manifestOfModel)(manifest, model),
        archive,
        published,
        now,
        signal,
      }),
    readMember: (question, ensemble, member, signal) =>
      readingOf(question, {
        manifest: (question.kind === "route" ? passageManifestOfMember : manifestOfMember)(
          manifest,
          ensemble,
          member,
        ),
        archive,
        published,
        now,
        signal,
      }),
    readTide: (question) => tideOf(question, tides, now),
    readExtremes: ({ station, datum }) =>
      whereThere(tides.extremes(station, { datum, from: now - LATE_S, to: now + AHEAD_S })),
  };
}

function tideOf(
  { station, datum, window_hours, conditions }: TideQuestion,
  tides: WorldDeps["tides"],
  now: number,
) {
  const { over, under } = conditions[0]!;
  return whereThere(
    tides.beyond(station, { datum, over, under, from: now, to: now + window_hours * HOUR_S }),
  );
}

async function whereThere<Found>(asked: Promise<Found>): Promise<Found | undefined> {
  try {
    return await asked;
  } catch (error) {
    // An update of the tide database may drop a station or one of its datums.
    if (error instanceof UnknownStationError || error instanceof PredictionError) return undefined;
    throw error;
  }
}

const known = new WeakMap<Manifest, ReturnType<typeof runsIn>>();

function runsOf(manifest: Manifest): ReturnType<typeof runsIn> {
  const found = known.get(manifest) ?? runsIn(manifest);
  known.set(manifest, found);
  return found;
}

function runsIn(manifest: Manifest) {
  const { runs } = manifest;
  const forecast = runs.filter(({ dataset }) => dataset === "Forecast");
  const sources = sourcesOf(forecast.map((run) => ({ ...run, id: contentOf(run.id) })));
  const models = new Map<string, string>();
  for (const { source, model, referenceTime } of forecast)
    if (referenceTime === sources.get(source)!.at) models.set(source, model);
  const ensembles = new Map(ensemblesIn(manifest).map((name) => [name, ensembleIn(manifest, name)]));
  return { sources, models, ensembles };
}

function ensembleIn(manifest: Manifest, name: string): EnsembleEdition {
  const runs = runsOfEnsemble(manifest, name);
  const newest = runs.reduce((one, other) => (other.referenceTime > one.referenceTime ? other : one));
  return {
    sources: sourcesOf(runs.map((run) => ({ ...run, id: contentOf(run.id) }))),
    title: shortModelName(newest.model),
    members: membersOfRuns(runs),
    arrived: arrivedIn(runs),
    size: sizeOf(manifest, name),
  };
}

interface Read {
  manifest: Manifest;
  archive: PointSource;
  published: Published;
  now: number;
  signal: AbortSignal;
}

async function readingOf(question: ValueQuestion, read: Read): Promise<Reading> {
  const passage = question.kind === "route" ? await passageOf(question, read) : undefined;
  const samples =
    passage === undefined
      ? await hoursAt(question as PlaceQuestion, read)
      : passage.pieces.filter(({ at }) => at.time >= read.now).map(({ at, weather }) => ({ ...at, weather }));
  const provider = providerOf(question);
  const found = provider && read.published.get(provider);
  const storm = found && nearestStorm(question, found, passage, read.now);
  const runs = newestRuns(question, read.manifest);
  return {
    samples,
    storm: provider && !found ? undefined : (storm ?? null),
    runOf: (judged) => runOf(judged, provider, read) ?? newestModel(question, read.manifest),
    runs,
  };
}

type PlaceQuestion = Extract<ValueQuestion, { kind: "place" | "window" }>;

/** Reads a place at each hour, from the next full hour on. */
async function hoursAt(question: PlaceQuestion, { manifest, archive, now, signal }: Read): Promise<Sample[]> {
  const { latitude, longitude, window_hours } = question;
  const names = variablesOf(question);
  if (names.length === 0) return [];
  const count = window_hours + 1;
  const first = Math.ceil(now / HOUR_S) * HOUR_S;
  const time = Float64Array.from({ length: count }, (_, hour) => first + hour * HOUR_S);
  const points = {
    count,
    latitude: new Float64Array(count).fill(latitude),
    longitude: new Float64Array(count).fill(longitude),
    time,
  };
  const { conditions } = await conditionsAt(manifest, archive, points, names, now, signal);
  return conditions.map((weather, hour) => ({ latitude, longitude, time: time[hour]!, weather }));
}

async function passageOf(
  { route, departure, vessel, ...question }: Extract<ValueQuestion, { kind: "route" }>,
  { manifest, archive, now, signal }: Read,
): Promise<Passage> {
  const asked = questionOf(passageRequest.parse({ route, departure, vessel }));
  const names = variablesOf({ route, departure, vessel, ...question });
  const variables = [...new Set([...drivingVariables(asked.vessel), ...names])];
  const { passages } = await evaluatePassages(
    archive,
    manifest,
    { legs: asked.legs, vessel: asked.vessel, variables },
    asked.departures,
    now,
    signal,
  );
  return passages[0]!;
}

function nearestStorm(
  question: ValueQuestion,
  { entries }: PublishedStorms,
  passage: Passage | undefined,
  now: number,
): NearStorm | undefined {
  if (question.kind === "window") return undefined;
  const vessel = passage ? since(voyageOf(passage), now) : staying(question as PlaceQuestion, now);
  if (vessel.begins > vessel.ends) return undefined;
  let nearest: NearStorm | undefined;
  for (const entry of entries) {
    const least = leastDistance(entry, vessel, knownDangerArea(entry, question.storm_method));
    const { forecast } = entry.tracks;
    if (!least || !forecast) continue;
    const nm = least.km / MILE_KM;
    if (!nearest || nm < nearest.nm)
      nearest = { id: entry.id, name: entry.name, nm, time: least.time, issuedAt: forecast.issued_at };
  }
  return nearest;
}

function staying(question: PlaceQuestion, now: number): Vessel {
  return { ...steering(question, now, 0, 0), ends: now + question.window_hours * HOUR_S };
}

const agencies: Record<StormProvider, string> = { jtwc: "JTWC", jma: "JMA" };

/** The bulletin or the run that the deciding value comes from. */
function runOf(
  { deciding }: Judged,
  provider: StormProvider | undefined,
  { manifest, now }: Read,
): RunFacts | undefined {
  if (!deciding) return undefined;
  const { quantity, storm, at, peak } = deciding;
  if (storm && provider) return { model: agencies[provider], at: storm.issuedAt };
  if (quantity === STORM_NM || quantity === TIDE_M || !at) return undefined;
  const run = chooseRun(manifest, quantities[quantity].variable, at.latitude, at.longitude, peak, now);
  return typeof run === "string" ? undefined : factsOf(run);
}

/** The newest run that has a variable of the question, where no value decided. */
function newestModel(question: ValueQuestion, manifest: Manifest): RunFacts | undefined {
  const asked = new Set(variablesOf(question));
  const { sources, models } = runsOf(manifest);
  const newest = [...sources]
    .filter(([, { variables }]) => [...asked].some((name) => variables.has(name)))
    .sort(([, one], [, other]) => other.at - one.at)[0];
  return newest && { model: models.get(newest[0])!, at: newest[1].at, source: newest[0] };
}

/** The newest run for each variable of the question; a variable without a run is left out. */
function newestRuns(question: ValueQuestion, { runs }: Manifest): RunFacts[] {
  return variablesOf(question).flatMap((name) => {
    const has = runs.filter(
      ({ dataset, condensed, fields }) =>
        dataset === "Forecast" && !condensed && outputsIn(fields, name).length > 0,
    );
    const newest = has.toSorted((one, other) => other.referenceTime - one.referenceTime)[0];
    return newest ? [factsOf(newest)] : [];
  });
}

function factsOf({ model, referenceTime, source, rhythm }: Run): RunFacts {
  return { model, at: referenceTime, source, rhythm };
}
