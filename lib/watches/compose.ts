import type { Place } from "@open-metocean/geo/sphere";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { WatchFound, WatchQuestion } from "#lib/contract/watch.ts";
import { type AgingRun, forecastAge, oldForecastText } from "#lib/forecast-age.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { formatNumber, formatUngrouped, inUnit } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { offsetAt } from "#lib/tides/local-day.ts";
import { formatInstant, HOUR_S, offsetText } from "#lib/time.ts";
import type { Deciding, Judged } from "./judge.ts";
import type { MembersAnswer } from "./members.ts";
import type { AlertKind, AlertMessage } from "./message.ts";
import type { ModelAnswer } from "./models.ts";
import { quantities, rowOf, STORM_NM, TIDE_M, type WatchQuantity } from "./quantities.ts";
import type { TideBeyond, TideQuestion } from "./tide.ts";
import type { ExtremeQuestion, TideExtreme, TideExtremes } from "./tide-extreme.ts";

/** The run or bulletin on which a message is based. */
export interface RunFacts {
  /** Name of the model or agency, for people. */
  model: string;
  /** Base time, Unix seconds. */
  at: number;
  /** Source of a model run; absent for a bulletin. */
  source?: string;
  /** Rhythm of the source: see `AgingRun`. */
  rhythm?: AgingRun["rhythm"];
}

/** The properties of a watch that its messages need. */
interface Watched {
  id: string;
  name: string;
  question: WatchQuestion;
}

/** The words of one language. */
export interface MessageWords {
  words: Words;
  watches: Messages["watches"];
}

export interface Facts {
  judged: Judged;
  run: RunFacts | undefined;
  /** Weather clock, Unix seconds. */
  now: number;
  synthetic: boolean;
  /** For a question that is asked of several models. */
  models?: readonly ModelAnswer[];
  /** For a question that is asked of the members of an ensemble. */
  members?: MembersAnswer;
  /** For a watch on the tide; undefined if its station no longer exists. */
  tide?: TideBeyond | undefined;
  /** For a watch on high and low waters, with the one that the message is about; undefined if its station no longer exists. */
  extremes?: (TideExtremes & { told: TideExtreme | undefined }) | undefined;
}

/** Formats a time as `Tue 24 Nov 06:00 UTC`, `Tue 24 Nov 07:00 UTC+1`. @param timezone IANA name of the clock. */
function timeText(time: number, { dates }: Words, timezone = "UTC"): string {
  const offset = offsetAt(time, timezone);
  const date = new Date((time + offset) * 1000);
  const day = dates.day({
    weekday: dates.days[date.getUTCDay()]!,
    day: date.getUTCDate(),
    month: dates.months[date.getUTCMonth()]!,
  });
  return `${day} ${clockText(date)} ${offsetText(offset)}`;
}

const clockText = (date: Date) => date.toISOString().slice(11, 16);

/** Formats a span as `2 h 30 min`. */
function spanText(minutes: number, { dates, ui }: Words): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [
    ...(hours > 0 ? [dates.hours({ count: hours })] : []),
    ...(rest > 0 ? [dates.minutes({ count: rest })] : []),
  ].join(ui.joins.sentences);
}

/**
 * Formats a value as `42 kn`. It is never rounded in the favourable direction: up against an upper limit,
 * down against a lower one.
 */
function valueText({ value, quantity, isOver }: Deciding, words: Words): string {
  const scale = 10 ** rowOf(quantity).decimals;
  // A value that is exact in its unit may be inexact in binary.
  const steps = isOver ? Math.ceil(value * scale - 1e-6) : Math.floor(value * scale + 1e-6);
  return numberText(steps / scale, quantity, words);
}

function numberText(value: number, quantity: WatchQuantity, words: Words): string {
  const { catalog } = words;
  const { unit, decimals } = rowOf(quantity);
  const units: Readonly<Record<string, { symbol: string }>> = catalog.units;
  const symbol = unit === "n mi" ? catalog.nauticalMile : (units[unit]?.symbol ?? unit);
  return inUnit(formatUngrouped(value, decimals, words.language), symbol, words);
}

/** Formats a limit with the decimals with which it was given. */
function limitText(limit: number, quantity: WatchQuantity, words: Words): string {
  const text = numberText(limit, quantity, words);
  const { decimals } = rowOf(quantity);
  if (Number(limit.toFixed(decimals)) === limit) return text;
  return text.replace(/^\S+/, formatNumber(limit, 2, words.language));
}

const runText = ({ model, at }: RunFacts, words: Words) => `${model}, ${timeText(at, words)}`;

function oldRun({ model, at, source, rhythm }: RunFacts, now: number, words: Words): string[] {
  const age = source === undefined ? undefined : forecastAge({ dataset: "Forecast", rhythm }, at, now);
  return age?.isOld ? [oldForecastText(age.hours, model, at, words)] : [];
}

/** A sentence on the found weather, and on the models or members that have it. */
function sentenceOf(
  question: WatchQuestion,
  facts: Pick<Facts, "judged" | "tide" | "extremes" | "models" | "members">,
  languages: MessageWords,
): string {
  const found = foundText(question, facts, languages);
  if (facts.members) return membersText(facts.members, facts.judged, found, languages);
  if (!facts.models) return found;
  return [found, modelsText(facts.models, languages)].join(languages.words.ui.joins.sentences);
}

/** `Of 3 models, reached by GFS; not by ECMWF; cannot say: AIFS (no forecast here).` */
function modelsText(models: readonly ModelAnswer[], { words, watches: { message } }: MessageWords): string {
  const { list } = words.ui.joins;
  const named = (says: ModelAnswer["says"]) =>
    models
      .filter((one) => one.says === says)
      .map(({ title, why, until }) =>
        why
          ? message.silent({
              name: title,
              why:
                why === "ends"
                  ? message.silences.ends({ when: timeText(until!, words) })
                  : message.silences[why],
            })
          : title,
      )
      .join(list) || undefined;
  return message.models({
    total: models.length,
    reached: named("reached"),
    not: named("not_reached"),
    unknown: named("cannot_say"),
  });
}

/**
 * `14 of 31 members of GEFS: 45% (asked for: at least 40%). A middle one: Gusts: over 34 kn from …`, and how many members of the
 * run have arrived, if not all of them have, or more than before.
 */
function membersText(
  { title, percent, reached, notReached, cannotSay, arrived, size, arrivedBefore }: MembersAnswer,
  { state, deciding }: Judged,
  found: string,
  { words, watches: { message } }: MessageWords,
): string {
  const total = reached + notReached + cannotSay;
  const counted = message.members({
    reached,
    total,
    ensemble: title,
    // Rounded down, so that it is not the share that was asked for before that is reached.
    share: total === 0 ? 0 : Math.floor((100 * reached) / total),
    percent,
    unknown: cannotSay > 0 ? cannotSay : undefined,
  });
  return [
    counted,
    ...(deciding && state !== "unknown" ? [message.middle({ sentence: found })] : []),
    ...(arrivedBefore !== undefined
      ? [message.late({ before: arrivedBefore, arrived, size })]
      : arrived < size
        ? [message.arrived({ arrived, size })]
        : []),
  ].join(words.ui.joins.sentences);
}

/** One sentence about what was found. */
function foundText(
  question: WatchQuestion,
  { judged: { state, deciding }, tide, extremes }: Pick<Facts, "judged" | "tide" | "extremes">,
  { words, watches }: MessageWords,
): string {
  const { message } = watches;
  if (isOfTides(question) && !tide && !extremes) return message.noStation(stationOf(question));
  if (extremes) return extremeText(extremes, { words, watches });
  if (state === "unknown") return message.unknown;
  if (question.kind === "window" && state === "false")
    return message.noWindow({ count: question.lasting_hours });
  if (!deciding) return message.noStorm;
  const { quantity, value, from, until, peak, storm } = deciding;
  const texts = {
    quantity: watches.quantities[quantity],
    limit: deciding.limit === undefined ? "" : limitText(deciding.limit, quantity, words),
    value: valueText(deciding, words),
    from: timeText(from, words),
    peak: timeText(peak, words),
  };
  if (tide) {
    const { station, datum } = tide;
    const about = { ...texts, station, datum, to: timeText(until, words), isCut: deciding.isCut ?? false };
    const beyond = deciding.isOver ? message.tideOver(about) : message.tideUnder(about);
    return [state === "false" ? message.tideWithin(about) : beyond, message.tideOnly].join(
      words.ui.joins.sentences,
    );
  }
  if (question.kind === "window") {
    const to = timeText(until, words);
    return message.window({ ...texts, to, count: Math.round((until - from) / HOUR_S) });
  }
  if (storm) {
    const name = { storm: storm.name ?? storm.id, from: texts.from };
    return value > 0 ? message.storm({ ...texts, ...name }) : message.inStorm(name);
  }
  if (state === "false" || isWithin(deciding)) return message.within(texts);
  return deciding.isOver ? message.over(texts) : message.under(texts);
}

/** Whether a value does not pass its limit: that of a watch that fired may be back within it by less than the margin. */
const isWithin = ({ isOver, value, limit = Number.NaN }: Deciding) =>
  isOver ? value <= limit : value >= limit;

/** Describes a high or low water: `High water at Brest: 6.64 m above LAT, Mon 14 Sep 07:39 UTC+2, coefficient 94.` */
function extremeText(
  { told, station, datum, timezone }: Extremes,
  { words, watches: { message, extremes } }: MessageWords,
): string {
  if (!told) return message.noExtreme({ station });
  const { type, value, time, coefficient } = told;
  const text = message.tideExtreme({
    extreme: extremes[type],
    station,
    value: numberText(value, TIDE_M, words),
    datum,
    when: timeText(time, words, timezone),
    coefficient: coefficient === undefined ? undefined : String(coefficient),
  });
  return [text, message.tideOnly].join(words.ui.joins.sentences);
}

type Extremes = NonNullable<Facts["extremes"]>;

const isOfTides = (question: WatchQuestion): question is TideQuestion | ExtremeQuestion =>
  question.kind === "tide" || question.kind === "tide_extreme";

const stationOf = ({ station, datum }: TideQuestion | ExtremeQuestion) => ({ station, datum: datum ?? "" });

function membersToWire(members: MembersAnswer): NonNullable<AlertMessage["ensemble"]> {
  const { ensemble, percent, reached, notReached, cannotSay, arrived, size } = members;
  return { ensemble, percent, reached, not_reached: notReached, cannot_say: cannotSay, arrived, size };
}

/** The result of a watch's last evaluation in its wire form. */
export function foundOf(question: WatchQuestion, facts: Facts, languages: MessageWords): WatchFound {
  const { run, tide, extremes } = facts;
  const { deciding, windows, knownShare } = facts.judged;
  return {
    run: run ? runText(run, languages.words) : ((tide ?? extremes)?.attribution ?? null),
    run_at: run?.at ?? null,
    quantity: deciding?.quantity ?? null,
    value: deciding ? rounded(deciding) : null,
    limit: deciding?.limit ?? null,
    unit: deciding ? rowOf(deciding.quantity).unit : null,
    valid_at: deciding?.from ?? null,
    windows,
    known_share: Math.round(1000 * knownShare) / 1000,
    sentence: question.kind === "new_run" ? "" : sentenceOf(question, facts, languages),
    ...(facts.models && {
      models: facts.models.map(({ model, says, why, runAt, reachedAt }) => ({
        model,
        says,
        ...(why && { why }),
        run_at: runAt ?? null,
        reached_at: reachedAt ?? null,
      })),
    }),
    ...(facts.members && {
      ensemble: { ...membersToWire(facts.members), run_at: facts.members.runAt ?? null },
    }),
  };
}

/** The message about what was found. @param kind `test` gives what a real message would say now. */
export function messageOf(
  { id, name, question }: Watched,
  kind: Exclude<AlertKind, "channel">,
  facts: Facts,
  languages: MessageWords,
): AlertMessage {
  const { judged, run, now, synthetic, tide, extremes } = facts;
  const { words, watches } = languages;
  const { message, titles } = watches;
  const { deciding } = judged;
  const what = sentenceOf(question, facts, languages);
  const isRun = question.kind === "new_run";
  const isAhead = deciding !== undefined && judged.state === "true" && kind !== "cleared";
  const lead = isAhead ? Math.max(0, deciding.from - now) / HOUR_S : undefined;
  const sentence = [
    ...(kind === "test" ? [message.test] : []),
    ...(isRun
      ? run
        ? [message.newRun({ run: runText(run, words) })]
        : []
      : [kind === "cleared" ? message.cleared({ sentence: what }) : what]),
    ...leadTexts(),
    ...(run && !isRun ? [message.run({ run: runText(run, words) })] : []),
    ...(run && !isRun ? oldRun(run, now, words) : []),
    ...(synthetic ? [message.synthetic] : []),
    message.notForNavigation,
  ].join(words.ui.joins.sentences);
  const place = deciding?.at ?? placeOf(question);
  return {
    kind,
    watch_id: id,
    watch_name: name,
    title: `${name}: ${titleOf()}`,
    sentence,
    language: words.language,
    run: run ? runText(run, words) : ((tide ?? extremes)?.attribution ?? null),
    run_at: run?.at ?? null,
    valid_at: deciding?.from ?? null,
    ends_at: deciding && !deciding.isCut ? deciding.until : null,
    quantity: deciding?.quantity ?? null,
    value: deciding ? rounded(deciding) : null,
    limit: deciding?.limit ?? null,
    unit: deciding ? rowOf(deciding.quantity).unit : null,
    peak_at: deciding?.peak ?? null,
    lead_hours: lead === undefined ? null : Math.round(10 * lead) / 10,
    ...(extremes?.told && {
      tide: { type: extremes.told.type, datum: extremes.datum, coefficient: extremes.told.coefficient },
    }),
    ...(facts.models && {
      models: facts.models.map(({ model, says, why }) => ({ model, says, ...(why && { why }) })),
    }),
    ...(facts.members && { ensemble: membersToWire(facts.members) }),
    place: place ? { latitude: place.latitude, longitude: place.longitude } : null,
    link: mapLink({
      at: place,
      time: deciding?.peak,
      quantity: deciding?.quantity,
      tide: isOfTides(question) ? question.station : undefined,
      storm:
        deciding?.storm && "provider" in question
          ? { provider: question.provider, id: deciding.storm.id }
          : undefined,
    }),
    synthetic,
  };

  function leadTexts(): string[] {
    if (lead === undefined) return [];
    if (extremes) {
      const minutes = Math.round(60 * lead);
      return minutes > 0 ? [message.lead({ span: spanText(minutes, words) })] : [];
    }
    return lead >= 0.5 ? [message.lead({ span: words.dates.hours({ count: Math.round(lead) }) })] : [];
  }

  function titleOf(): string {
    if (kind === "test") return titles.test;
    if (kind === "cleared") return titles.cleared;
    if (kind === "unavailable") return titles.unavailable;
    if (kind === "new_run" || !deciding) return run ? runText(run, words) : titles.newRun;
    if (extremes?.told) {
      const { type, time } = extremes.told;
      const clock = clockText(new Date((time + offsetAt(time, extremes.timezone)) * 1000));
      return `${watches.extremes[type]} ${clock}${words.ui.joins.list}${valueText(deciding, words)}`;
    }
    if (question.kind === "window") return titles.window;
    const { quantity, storm } = deciding;
    const subject = storm ? (storm.name ?? storm.id) : watches.quantities[quantity];
    return `${subject} ${valueText(deciding, words)}`;
  }
}

function rounded({ value, quantity }: Deciding): number {
  return Number(value.toFixed(quantity === STORM_NM ? 0 : Math.min(2, rowOf(quantity).decimals + 1)));
}

function placeOf(question: WatchQuestion) {
  if (question.kind === "place" || question.kind === "window") return question;
  return question.kind === "route" ? question.route[0] : undefined;
}

interface LinkedState {
  at?: Place | undefined;
  /** Unix seconds. */
  time?: number | undefined;
  quantity?: WatchQuantity | undefined;
  storm?: { provider: string; id: string } | undefined;
  /** Id of a tide station. */
  tide?: string | undefined;
}

const layers: Partial<Record<string, DrawnVariable>> = { extra_wave: "swell" };

const ZOOM = 5;
const TIDE_ZOOM = 10;

/**
 * Path and query of the map that shows a place at a time, with the layer of a quantity. See
 * components/view-state/view-url.ts.
 */
export function mapLink({ at, time, quantity, storm, tide }: LinkedState): string {
  const query: string[] = [];
  const degrees = (number: number) => Number(number.toFixed(4));
  if (at) {
    const place = `${degrees(at.latitude)},${degrees(at.longitude)}`;
    if (tide === undefined) query.push(`p=${place}`);
    query.push(`c=${place}`, `z=${tide === undefined ? ZOOM : TIDE_ZOOM}`);
  }
  if (time !== undefined) query.push(`t=${formatInstant(time)}`);
  if (quantity && quantity !== STORM_NM && quantity !== TIDE_M) {
    const { variable } = quantities[quantity];
    query.push(`l=${layers[variable] ?? variable}`);
  }
  if (tide !== undefined) query.push(`tide=${tide}`);
  if (storm) query.push(`sp=${storm.provider}`, `storm=${storm.id}`);
  return query.length === 0 ? "/" : `/?${query.join("&")}`;
}
