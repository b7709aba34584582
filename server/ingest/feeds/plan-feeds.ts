import type { Grid } from "@open-metocean/geo/grid";
import { type Statistic, statistics } from "#lib/catalog/ensemble.ts";
import { type FieldName, rowOf } from "#lib/catalog/fields.ts";
import { storedSteps } from "#lib/catalog/map-fields.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import { ConfigError } from "#server/platform/env.ts";
import { freeBytes, makeFolder } from "#server/platform/files.ts";
import { serialQueue } from "#server/platform/in-parallel.ts";
import {
  type FieldFeed,
  fieldsOfProfile,
  leadOf,
  type Profile,
  profileNames,
  segmentsOf,
} from "./field-feed.ts";
import type { Keep } from "./past-rules.ts";

/** Speed of an internet line for estimates, bytes a second: 20 Mbit/s. */
export const LINE = 2.5e6;

interface FeedPlan {
  name: string;
  title: string;
  credit: string;
  cyclesADay: number;
  steps: number;
  bytesACycle: number;
  bytesADay: number;
  /** Bytes on disk when everything to be retained is present. */
  bytesInAll: number;
}

export function planFeed(feed: FieldFeed, profile: Profile, keep: Keep): FeedPlan {
  const isStatic = feed.source.dataset === "Static";
  // Ensembles have no past.
  const hasPast = !isStatic && !feed.ensemble;
  const parts = feed.parts(0, profile);
  const cyclesADay = isStatic ? 0 : DAY_S / feed.cycles.every;
  const bytesACycle = parts.length * feed.partBytes(profile);
  const first = segmentsOf(parts, feed)[0];
  const bytesADay = cyclesADay * bytesACycle;
  const dayOfShortLeads = first ? cyclesADay * (first.to - first.from) * feed.partBytes(profile) : 0;
  const days = (seconds: number) => seconds / DAY_S;
  const past =
    days(keep.recent) + days(keep.archive) / 3 + Math.max(0, days(keep.years) - days(keep.recent)) / 3;
  const fetched = isStatic
    ? bytesACycle
    : (keep.cycles + 1) * bytesACycle + (hasPast ? (5 + past) * dayOfShortLeads : 0);
  return {
    name: feed.name,
    title: feed.title(profile),
    credit: feed.credit,
    cyclesADay,
    steps: parts.reduce((sum, { times }) => sum + times.length, 0),
    bytesACycle,
    bytesADay,
    // The files of a growing cycle of an ensemble stay until it is whole.
    bytesInAll: fetched * archivedPerFetched(feed, profile) + (feed.ensemble ? bytesACycle : 0),
  };
}

/**
 * The table of `feeds plan`.
 *
 * @param extent A profile, or the name of a set of models.
 */
export function describePlan(plans: readonly FeedPlan[], extent: string): string {
  const sum = (of: (plan: FeedPlan) => number) => plans.reduce((total, plan) => total + of(plan), 0);
  const rows = plans.map((plan) => [
    plan.name,
    plan.cyclesADay === 0 ? "once" : `${Number(plan.cyclesADay.toFixed(1))} a day`,
    String(plan.steps),
    formatBytes(plan.bytesACycle),
    formatBytes(plan.bytesADay),
    formatBytes(plan.bytesInAll),
    inHours(plan.bytesACycle / LINE),
  ]);
  const head = ["feed", "cycles", "steps", "a cycle", "a day", "on disk", "at 20 Mbit/s"];
  const total = [
    "together",
    "",
    "",
    formatBytes(sum((p) => p.bytesACycle)),
    formatBytes(sum((p) => p.bytesADay)),
    formatBytes(sum((p) => p.bytesInAll)),
    "",
  ];
  return [
    `${isProfile(extent) ? "Profile" : "Models of"} ${extent}, about:`,
    ...table([head, ...rows, total]),
    "",
    ...plans.map(({ title, credit }) => `${title} (${credit})`),
    "",
  ].join("\n");
}

/** A duration for people: minutes below an hour, then hours. */
export function inHours(seconds: number): string {
  return seconds < HOUR_S
    ? `${Math.max(1, Math.ceil(seconds / 60))} min`
    : `${(seconds / HOUR_S).toFixed(1)} h`;
}

/** Aligns columns, two spaces apart. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}

/**
 * Bytes of one value in the archive, for points and for map frames; measured in test/feeds-week/disk-estimate.test.ts.
 */
const POINT_BYTES = 1.25;
const FRAME_BYTES = 0.8;
/** Share of the nodes that are at sea. */
const SEA = 0.7;
/** Factor for steps that two segments share. */
const SHARED = 1.07;

/**
 * Archived bytes for each byte of one of the operator's own sources: the largest ratio of all feeds, because its grid
 * is not known before its data is there.
 */
const OWN = 3;

/** Bytes of the archive for each fetched byte of a feed, with all layouts and frames. */
export function archivedPerFetched(feed: FieldFeed, profile: Profile): number {
  const grid = feed.grid?.[profile];
  if (!grid) return OWN;
  if (feed.ensemble) return ensembleStepBytes(feed, grid) / feed.partBytes(profile);
  const parts = feed.parts(feed.cycles.offset, profile);
  const stepsOfPart = parts.flatMap(({ times }) => times).length / parts.length;
  const names = fieldsOfProfile(feed, profile);
  const isSea = names.every((name) => rowOf(name).absentWhere?.includes("land"));
  const frames = storedSteps
    .filter(({ bands }) => bands.every((band) => (names as readonly StoredName[]).includes(band)))
    .flatMap(({ bands }) => bands);
  const nodes = grid.latitude.count * grid.longitude.count * (isSea ? SEA : 1);
  const stepBytes = nodes * SHARED * (names.length * POINT_BYTES + frames.length * FRAME_BYTES);
  return (stepBytes * stepsOfPart) / feed.partBytes(profile);
}

/**
 * Bytes of one value of an ensemble in the archive, for points and map frames together; measured in
 * test/feeds-week/ensemble-disk.test.ts. A chunk has more empty places for 51 members than for 31, and fewer nodes.
 */
const memberBytes = (size: number) => (size > 32 ? 1.6 : 1.4);
/** Pressure and the height of waves are smoother than speeds. */
const smoothQuantities: ReadonlySet<VariableName> = new Set(["pressure", "wave"]);

function statisticBytes({ is, quantity }: Statistic): number {
  if (is === "members") return 0.15;
  if (is === "share") return 0.55;
  const isSmooth = smoothQuantities.has(quantity.variable);
  return (isSmooth ? 1.7 : 2.3) * (is === "spread" ? 0.6 : 1);
}

/** Bytes of a step of an ensemble in the archive. */
function ensembleStepBytes(feed: FieldFeed, grid: Grid): number {
  const { plan, size } = feed.ensemble!;
  const nodes = grid.latitude.count * grid.longitude.count;
  const names = new Set(fieldsOfProfile(feed, "full"));
  const share = (name: FieldName) => (rowOf(name).absentWhere?.includes("land") ? SEA : 1);
  const kept = plan === "members" ? [...names] : [];
  const counted = statistics.filter(
    ({ is, quantity: { output } }) =>
      output.of.every((name) => names.has(name)) && (plan !== "mean" || is === "mean" || is === "spread"),
  );
  return (
    nodes *
    (kept.reduce((sum, name) => sum + size * memberBytes(size) * share(name), 0) +
      counted.reduce((sum, one) => sum + statisticBytes(one) * share(one.quantity.output.of[0]), 0))
  );
}

/** Disk that a fetch still needs. */
export interface DiskNeed {
  /** Bytes by which the archive grows. */
  bytes: number;
  /** Bytes of files that lie beside it until they are published. */
  files: number;
}

/** Limits of the disk for further fetches. */
export interface DiskBudget {
  /**
   * Describes why this many more bytes do not fit, for the operator; undefined if they do.
   *
   * @param bytes Bytes by which the archive grows. @param files Bytes of files that lie beside it until they are published.
   * @param feed Name of the feed that needs them, whose own reservation is not counted.
   */
  refusal(bytes: number, files?: number, feed?: string): Promise<string | undefined>;
  /**
   * Reserves disk for what a feed fetches next, in place of what it reserved before, so that feeds that fetch at the same
   * time do not count on the same bytes.
   *
   * @param need The bytes that are still to be written, asked for whenever another feed needs disk.
   * @returns Why they do not fit, for the operator. Then the feed has nothing reserved.
   */
  reserve(feed: string, need: () => Promise<DiskNeed>): Promise<string | undefined>;
  /** Ends the reservation of a feed, if it has one. */
  release(feed: string): void;
  /** Bytes of the published runs. */
  used(): Promise<number>;
}

/**
 * @param budget FEED_DISK_MB, in bytes; undefined for no limit but the disk's.
 * @param minFree Bytes that stay free: MIN_FREE_MB.
 */
export function diskBudget(
  archive: Pick<RunArchive, "usedBytes" | "folder" | "maxStagedBytes">,
  budget: number | undefined,
  minFree: number,
): DiskBudget {
  const reserved = new Map<string, () => Promise<DiskNeed>>();
  /** Reservations are made one after another, so that each sees those before it. */
  const turns = serialQueue();

  async function refusal(bytes: number, files = 0, feed?: string): Promise<string | undefined> {
    // A comparison with NaN is false, so a fetch without an estimate would always fit.
    if (Number.isNaN(bytes + files)) throw new RangeError("The bytes of the next fetch are not known");
    await makeFolder(archive.folder);
    const others = await reservedByOthers(feed);
    const onDisk = (need: DiskNeed) => Math.min(need.bytes, archive.maxStagedBytes) + need.files;
    const free = await freeBytes(archive.folder);
    const needed = onDisk({ bytes, files });
    const withOthers = onDisk({ bytes: bytes + others.bytes, files: files + others.files });
    if (free - withOthers < minFree) {
      const besides =
        withOthers > needed ? `, other feeds need ${formatBytes(withOthers - needed)} of it` : "";
      return `the disk has ${formatBytes(free)} free${besides}; the next fetch needs ${formatBytes(needed)}, and MIN_FREE_MB stays free`;
    }
    if (budget === undefined) return undefined;
    const now = await archive.usedBytes();
    if (now + others.bytes + bytes <= budget) return undefined;
    const besides = others.bytes > 0 ? `, other feeds are fetching ${formatBytes(others.bytes)}` : "";
    return `the archive has ${formatBytes(now)} of the ${formatBytes(budget)} that FEED_DISK_MB allows${besides}, and the next fetch needs ${formatBytes(bytes)}: raise it, retain less (KEEP_…), or choose a smaller profile`;
  }

  async function reservedByOthers(feed: string | undefined): Promise<DiskNeed> {
    const sum = { bytes: 0, files: 0 };
    for (const [name, need] of reserved) {
      if (name === feed) continue;
      const { bytes, files } = await need();
      sum.bytes += bytes;
      sum.files += files;
    }
    return sum;
  }

  return {
    used: archive.usedBytes,
    refusal,
    reserve: (feed, need) =>
      turns(async () => {
        reserved.delete(feed);
        const { bytes, files } = await need();
        const reason = await refusal(bytes, files, feed);
        if (reason === undefined) reserved.set(feed, need);
        return reason;
      }),
    release: (feed) => void reserved.delete(feed),
  };
}

export class WrongFeedsError extends ConfigError {
  override readonly name = "WrongFeedsError";
  readonly reason: string;
  constructor(setting: string, reason: string) {
    super(`FEEDS=${setting}: ${reason}`);
    this.reason = reason;
  }
}

/** A set of feeds with a name in FEEDS. */
interface Choice {
  profile: Profile;
  /** Profile whose retention applies: a comparison of forecasts needs no past of each model. */
  keepsAs: Profile;
  /** The feeds besides those of the operator's own sources. */
  feeds: readonly string[];
  /** Hours between the steps that are fetched, where hosts have more. */
  everyHours?: number;
}

const weatherModels = ["gfs", "ecmwf", "ecmwfaifs"];
const theirWaves = ["gfswave", "ecmwfwave", "ecmwfaifswave"];

/**
 * Sets of models that are compared with each other. In `models-lite` all have the six-hourly steps of AIFS, because a boat
 * pays for each step.
 */
const choices: Readonly<Record<string, Choice>> = {
  "models-lite": {
    profile: "lite",
    keepsAs: "lite",
    feeds: [...weatherModels, ...theirWaves],
    everyHours: 6,
  },
  models: {
    profile: "standard",
    keepsAs: "lite",
    feeds: [...weatherModels, "ukmo", "arpege", ...theirWaves, "cmemswave", "dwdewam", "dwdgwam"],
  },
};

export const choiceNames: readonly string[] = Object.keys(choices);

/** Feeds that FEEDS selects. */
export interface FeedSelection {
  /** Words of FEEDS that choose the extent: a profile, or a set of models. */
  extent: string;
  profile: Profile;
  /** Profile whose retention applies. */
  keepsAs: Profile;
  fields: readonly FieldFeed[];
  /** Names of feeds of storms. */
  storms: readonly string[];
}

/** Whether a profile has a feed: the operator's own are in all of them. */
function isIn(profile: Profile, { isOwn, inProfile }: FieldFeed): boolean {
  if (isOwn) return true;
  return inProfile !== undefined && profileNames.indexOf(inProfile) <= profileNames.indexOf(profile);
}

const isProfile = (word: string): word is Profile => profileNames.some((name) => name === word);

/** A feed with those steps whose leads are multiples of some hours; a part with several times stays whole. */
function thinned(feed: FieldFeed, everyHours: number): FieldFeed {
  return {
    ...feed,
    parts: (cycle, profile) =>
      feed
        .parts(cycle, profile)
        .filter((part) => part.times.length > 1 || leadOf(part) % everyHours === 0)
        .map((part, index) => ({ ...part, index })),
  };
}

/**
 * Selects feeds by the setting FEEDS: `none`; `all`; a profile, with the feeds that belong to it; a set of models, to which
 * names may be added; names; or a profile and names. In the last case names of fields choose among the fields of the
 * profile, and names of storms among the feeds of storms. Feeds of ensembles are added to all of these by their names.
 *
 * @param feeds All feeds of fields.
 * @param storms Names of all feeds of storms. A profile has all of them, because they are small.
 * @throws WrongFeedsError
 */
export function selectFeeds(
  setting: string,
  feeds: readonly FieldFeed[],
  storms: readonly string[],
): FeedSelection {
  const words = setting.split(/, ?/);
  const extents = words.filter((word) => isProfile(word) || choiceNames.includes(word));
  const [extent = "standard"] = extents;
  const choice = choices[extent];
  const { profile, keepsAs } = choice ?? { profile: extent as Profile, keepsAs: extent as Profile };
  if (words.includes("none")) {
    if (words.length > 1) throw new WrongFeedsError(setting, "none stands alone");
    return { extent, profile, keepsAs, fields: [], storms: [] };
  }
  if (extents.length > 1) throw new WrongFeedsError(setting, "one profile, or one set of models, at a time");
  const named = words.filter((word) => !extents.includes(word) && word !== "all");
  const unknown = named.find((name) => !feeds.some((feed) => feed.name === name) && !storms.includes(name));
  if (unknown !== undefined) {
    const known = [...feeds.map(({ name }) => name), ...storms].join(", ");
    const extentNames = [...profileNames, ...choiceNames].join(", ");
    throw new WrongFeedsError(
      setting,
      `there is no feed "${unknown}"; there are ${known}, and ${extentNames}, all`,
    );
  }
  const isOfEnsemble = (name: string) => feeds.some((feed) => feed.name === name && feed.ensemble);
  const ofEnsembles = named.filter(isOfEnsemble);
  const names = named.filter((name) => !isOfEnsemble(name));
  const sourceOf = (name: string) => feeds.find((feed) => feed.name === name)!.source.name;
  const twice = ofEnsembles.find(
    (name, i) => ofEnsembles.findIndex((o) => sourceOf(o) === sourceOf(name)) < i,
  );
  if (twice !== undefined) throw new WrongFeedsError(setting, `one plan of ${sourceOf(twice)} at a time`);
  const chosen = (known: readonly string[], ofSetting: (name: string) => boolean) => {
    if (words.includes("all")) return known;
    const found = known.filter((name) => names.includes(name));
    return found.length > 0 || extents.length === 0 ? found : known.filter(ofSetting);
  };
  const isInExtent = (feed: FieldFeed) =>
    choice ? feed.isOwn || choice.feeds.includes(feed.name) : isIn(profile, feed);
  const inExtent = feeds.filter((feed) => isInExtent(feed)).map(({ name }) => name);
  const ofFields = feeds.filter(({ ensemble }) => !ensemble).map(({ name }) => name);
  const selected = [
    ...ofEnsembles,
    ...(choice && !words.includes("all")
      ? [...inExtent, ...names]
      : chosen(ofFields, (name) => inExtent.includes(name))),
  ];
  const everyHours = choice?.everyHours;
  return {
    extent,
    profile,
    keepsAs,
    fields: feeds
      .filter(({ name }) => selected.includes(name))
      .map((feed) => (everyHours !== undefined && !feed.isOwn ? thinned(feed, everyHours) : feed)),
    // All storm feeds are small, so every profile has them.
    storms: [...chosen(storms, () => true)],
  };
}
