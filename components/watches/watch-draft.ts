import "#components/api-client/without-eval.ts";
import type { Place } from "@open-metocean/geo/sphere";
import type { DangerMethod, StormProvider } from "@open-metocean/storms/providers";
import type { FieldPath } from "react-hook-form";
import { type ContractIssue, contractResolver } from "#components/fields/contract-resolver.ts";
import { type NumberRange, numberRangeAt } from "#lib/contract/number-range.ts";
import { passageRequest } from "#lib/contract/passage.ts";
import {
  placesOf,
  type Watch,
  type WatchCondition,
  type WatchQuestion,
  watchLimits,
  watchRequest,
} from "#lib/contract/watch.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import type { Language } from "#lib/messages/language.ts";
import { formatNumber, typedDecimal } from "#lib/messages/number.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { questionOf as passageQuestionOf } from "#lib/passage/question.ts";
import { positionText } from "#lib/position.ts";
import { readPosition } from "#lib/positions/read-position.ts";
import type { Agreement } from "#lib/watches/message.ts";
import { type HourlyQuantity, rowOf, STORM_NM, TIDE_M } from "#lib/watches/quantities.ts";
import { type SentWatch, sentOf } from "./watch-requests.ts";

/** Kinds of watches that the dialog can create. */
export const draftKinds = ["danger", "window", "storm", "tide", "extreme", "run"] as const;

export type DraftKind = (typeof draftKinds)[number];

type ExtremeQuestion = Extract<Watch["question"], { kind: "tide_extreme" }>;

/** A passage in the form of a watch's question. */
export type RouteQuestion = Omit<
  Extract<SentWatch["question"], { kind: "route" }>,
  "kind" | "conditions" | "join"
>;

/** A tide station and the datum of its heights. */
export interface ChosenStation {
  id: string;
  name: string;
  datum: string;
}

/** The subject of a new watch. */
export interface About {
  /** If absent, it is typed in the dialog. */
  place?: Place;
  kind?: DraftKind;
  /** A route in place of a place. */
  route?: RouteQuestion;
  /** The station for a tide, which provides the place. */
  station?: ChosenStation | undefined;
  provider?: StormProvider;
}

/** Which high and low waters a watch is about: all, those over or under a height, or from a coefficient on. */
export const extremeFilters = ["none", "over", "under", "coefficient"] as const;

export type ExtremeFilter = (typeof extremeFilters)[number];

export interface DraftCondition {
  quantity: HourlyQuantity;
  side: "over" | "under";
  limit: string;
}

/** The fields of the dialog as typed. */
export interface Draft {
  /** undefined until one is typed: the name follows the content. */
  name: string | undefined;
  kind: DraftKind;
  /** Typed position; it equals that of `place` until it is edited. */
  position: string;
  place: Place | undefined;
  join: "any" | "all";
  /**
   * How many of `models` have to answer yes; `best` asks the best source of each variable instead, and `members` those of
   * `ensemble`, of which at least `percent` have to.
   */
  agree: Agreement | "best" | "members";
  models: readonly string[];
  ensemble: string | undefined;
  percent: string;
  conditions: DraftCondition[];
  windowConditions: DraftCondition[];
  ahead: string;
  windowAhead: string;
  lasting: string;
  within: string;
  source: string | undefined;
  /** Station for a tide; undefined until the nearest one is known. */
  station: ChosenStation | undefined;
  tideSide: DraftCondition["side"];
  tideLimit: string;
  tideAhead: string;
  /** For high and low waters: which ones, how long before them, and whether only some of them. */
  extremeType: ExtremeQuestion["type"];
  minutesBefore: string;
  filter: ExtremeFilter;
  heightLimit: string;
  coefficient: string;
  route: RouteQuestion | undefined;
  /** Provider of the storms, and method of the danger area. */
  storms: { provider?: StormProvider; storm_method?: DangerMethod };
  /** Limits on storm distance that accompany other conditions; they stay unchanged. */
  extra: WatchCondition[];
  /** Ids of its channels; null means all of the owner's. */
  channels: Watch["channels"];
}

const condition = (
  quantity: HourlyQuantity,
  side: DraftCondition["side"],
  limit: number,
  language: Language,
): DraftCondition => ({ quantity, side, limit: typedDecimal(limit, language) });

/** Initial values: a gale or a rough sea, fair weather, a storm within 200 n mi. */
export function newDraft(
  { place, route, provider, station, kind = station ? "tide" : "danger" }: About,
  language: Language,
): Draft {
  return {
    name: undefined,
    kind,
    position: place ? positionText(place.latitude, place.longitude) : "",
    place,
    join: "any",
    agree: "best",
    models: [],
    ensemble: undefined,
    percent: "40",
    conditions: [condition("gust_kt", "over", 30, language), condition("sea_m", "over", 3, language)],
    windowConditions: [
      condition("wind_kt", "under", 20, language),
      condition("sea_m", "under", 1.5, language),
    ],
    ahead: "48",
    windowAhead: "120",
    lasting: "36",
    within: "200",
    source: undefined,
    station,
    tideSide: "over",
    tideLimit: "",
    tideAhead: "12",
    extremeType: "high",
    minutesBefore: "60",
    filter: "none",
    heightLimit: "",
    coefficient: "95",
    route,
    storms: provider ? { provider } : {},
    extra: [],
    channels: null,
  };
}

/** Whether a watch is about a tide station, and not about a place. */
export const isOfTides = (kind: DraftKind) => kind === "tide" || kind === "extreme";

/** Name of a watch while none is typed; empty until its place is known. */
export function nameOf(
  { kind, position: typed, route, station }: Draft,
  { form }: Messages["watches"],
): string {
  if (kind === "run") return form.runName;
  if (isOfTides(kind)) return station?.name ?? "";
  if (route) return form.routeName;
  const reading = readPosition(typed);
  if (reading.kind !== "place") return "";
  const position = positionText(reading.place.latitude, reading.place.longitude);
  if (kind === "storm") return form.stormName({ position });
  return kind === "window" ? form.windowName({ position }) : position;
}

/** The draft of an existing watch. Its name goes on following the content if it did until now. */
export function draftOf(watch: Watch, words: Messages["watches"], language: Language): Draft {
  const { name, channels } = watch;
  const draft = draftOfQuestion(watch.question, language);
  return { ...draft, channels, name: name === nameOf(draft, words) ? undefined : name };
}

function draftOfQuestion(question: Watch["question"], language: Language): Draft {
  const text = (value: number) => typedDecimal(value, language);
  if (question.kind === "tide") {
    const { over, under } = question.conditions[0]!;
    return {
      ...newDraft({ station: { id: question.station, name: "", datum: question.datum ?? "" } }, language),
      tideSide: over !== undefined ? "over" : "under",
      tideLimit: text((over ?? under)!),
      tideAhead: text(question.window_hours),
    };
  }
  if (question.kind === "tide_extreme") {
    const { type, minutes_before, conditions, coefficient } = question;
    const { over, under } = conditions[0] ?? {};
    const heightFilter = over !== undefined ? "over" : under !== undefined ? "under" : "none";
    return {
      ...newDraft({ station: { id: question.station, name: "", datum: question.datum ?? "" } }, language),
      kind: "extreme",
      extremeType: type,
      minutesBefore: text(minutes_before),
      filter: coefficient === undefined ? heightFilter : "coefficient",
      heightLimit: over === undefined && under === undefined ? "" : text((over ?? under)!),
      ...(coefficient !== undefined && { coefficient: text(coefficient) }),
    };
  }
  const { latitude, longitude } = "latitude" in question ? question : { latitude: 0, longitude: 0 };
  const draft = newDraft({ place: { latitude, longitude } }, language);
  if (question.kind === "new_run") return { ...draft, kind: "run", source: question.source };
  const { models = [], agree = "any", ensemble, percent } = question;
  const byModel =
    ensemble !== undefined
      ? { agree: "members" as const, ensemble, percent: text(percent!) }
      : models.length > 0
        ? { models, agree }
        : {};
  const conditions = question.conditions.flatMap(({ quantity, over, under }) =>
    quantity === STORM_NM
      ? []
      : [condition(quantity, over === undefined ? "under" : "over", (over ?? under)!, language)],
  );
  if (question.kind === "window")
    return {
      ...draft,
      ...byModel,
      kind: "window",
      windowConditions: conditions,
      windowAhead: text(question.window_hours),
      lasting: text(question.lasting_hours),
    };
  const storm = question.conditions.find(({ quantity }) => quantity === STORM_NM);
  const {
    kind,
    conditions: _,
    join,
    models: _models,
    agree: _agree,
    ensemble: _ensemble,
    percent: _percent,
    ...rest
  } = question;
  const { provider, storm_method } = question;
  return {
    ...draft,
    ...byModel,
    storms: { provider, storm_method },
    extra: conditions.length > 0 && storm ? [storm] : [],
    ...(kind === "route" ? { route: rest as RouteQuestion } : { ahead: text(question.window_hours) }),
    join,
    ...(storm && conditions.length === 0
      ? { kind: "storm" as const, within: text(storm.under!) }
      : { conditions }),
  };
}

/**
 * The request of a draft. A number that cannot be read is NaN, and what is missing is left out: the schema
 * refuses both.
 *
 * @param watch The watch that is changed; properties that the dialog does not show stay unchanged.
 */
export function requestOf(
  draft: Draft,
  language: Language,
  words: Messages["watches"],
  watch?: Watch,
): SentWatch {
  const name = draft.name?.trim() || nameOf(draft, words);
  // undefined is left out of the JSON, which means all channels.
  const channels = draft.channels ?? undefined;
  return { ...(watch && sentOf(watch)), language, name, question: questionOf(draft, language), channels };
}

function questionOf(draft: Draft, language: Language): SentWatch["question"] {
  const { kind, station, route } = draft;
  if (kind === "run") return { kind: "new_run", ...(draft.source && { source: draft.source }) };
  // A missing station leaves the field out, although the schema requires it.
  const tide = { station: station?.id as string, datum: station?.datum };
  if (kind === "extreme") {
    const { extremeType: type, filter } = draft;
    const minutes_before = wholeOf(draft.minutesBefore);
    const asked = { kind: "tide_extreme" as const, ...tide, type, minutes_before };
    if (filter === "none") return asked;
    if (filter === "coefficient") return { ...asked, coefficient: wholeOf(draft.coefficient) };
    return {
      ...asked,
      conditions: [{ quantity: TIDE_M, [filter]: readTypedDecimal(draft.heightLimit) }],
    };
  }
  if (kind === "tide") {
    const limit = { [draft.tideSide]: readTypedDecimal(draft.tideLimit) };
    const window_hours = wholeOf(draft.tideAhead);
    return { kind, ...tide, window_hours, conditions: [{ quantity: TIDE_M, ...limit }] };
  }
  if (kind === "window")
    return {
      kind,
      ...placeOf(draft, language),
      window_hours: wholeOf(draft.windowAhead),
      lasting_hours: wholeOf(draft.lasting),
      conditions: draft.windowConditions.map(conditionOf),
      ...byModelOf(draft),
    };
  const conditions =
    kind === "storm"
      ? [{ quantity: STORM_NM as typeof STORM_NM, under: readTypedDecimal(draft.within) }]
      : // The distance of a storm alone is a watch of the kind `storm`.
        draft.conditions.length > 0
        ? [...draft.conditions.map(conditionOf), ...draft.extra]
        : [];
  // The distance of a storm depends on no model.
  const more = {
    ...draft.storms,
    join: draft.join,
    conditions,
    ...(kind === "danger" && byModelOf(draft)),
  };
  if (route) return { ...route, kind: "route", ...more };
  return { kind: "place", ...placeOf(draft, language), window_hours: wholeOf(draft.ahead), ...more };
}

interface Asked {
  models?: string[];
  agree?: Agreement;
  ensemble?: string;
  percent?: number;
}

function byModelOf({ agree, models, ensemble, percent }: Draft): Asked {
  if (agree === "members") return ensemble === undefined ? {} : { ensemble, percent: wholeOf(percent) };
  return agree === "best" || models.length === 0 ? {} : { models: [...models], agree };
}

const wholeOf = (text: string) => Math.round(readTypedDecimal(text));

const conditionOf = ({ quantity, side, limit }: DraftCondition) => ({
  quantity,
  [side]: readTypedDecimal(limit),
});

/** The place of a watch; NaN where the text is no single position. */
function placeOf({ place, position }: Draft, language: Language): Place {
  // The text is rounded to a tenth of a minute, so an unedited position uses the exact place.
  if (place && position === positionText(place.latitude, place.longitude)) return place;
  const reading = readPosition(position, [language]);
  return reading.kind === "place" ? reading.place : { latitude: Number.NaN, longitude: Number.NaN };
}

/**
 * Checks drafts by the contract. A passage may also have only so many pieces, which the service counts after
 * its schema.
 */
export function draftResolver(words: WordsWith<"watches">, watch?: Watch) {
  const { language, watches } = words;
  return contractResolver({
    schema: watchRequest.superRefine(({ question }, context) => {
      if (question.kind !== "route" || passagePlaces(question) <= placesOf(question)) return;
      context.addIssue({ code: "custom", path: ["question", "route"], message: "The passage is too long" });
    }),
    bodyOf: (draft: Draft) => requestOf(draft, language, watches, watch),
    fieldOf: ({ path }, draft) => fieldAt(path, draft),
    textOf: (issue, draft) => problemText(issue, draft, words),
  });
}

/** Number of pieces of a passage; 0 if the passage itself is refused. */
function passagePlaces({
  route,
  departure,
  vessel,
  models,
}: Extract<WatchQuestion, { kind: "route" }>): number {
  const parsed = passageRequest.safeParse({ route, departure, vessel, models });
  return parsed.success ? passageQuestionOf(parsed.data).places : 0;
}

/** The field of the dialog that makes a part of the request. */
function fieldAt([first, part, index, side]: readonly PropertyKey[], draft: Draft): FieldPath<Draft> {
  const { kind } = draft;
  // A name is missing only while the place or the station that it follows is.
  if (first === "name" && !draft.name) return isOfTides(kind) ? "station" : "position";
  if (first !== "question") return "name";
  if (part === "latitude" || part === "longitude") return "position";
  if (part === "window_hours")
    return kind === "tide" ? "tideAhead" : kind === "window" ? "windowAhead" : "ahead";
  if (part === "lasting_hours") return "lasting";
  if (part === "minutes_before") return "minutesBefore";
  if (part === "conditions") {
    if (kind === "tide") return "tideLimit";
    if (kind === "extreme") return "heightLimit";
    if (kind === "storm") return "within";
    const list = kind === "window" ? "windowConditions" : "conditions";
    return side === undefined ? list : `${list}.${Number(index)}.limit`;
  }
  return part === "coefficient" || part === "station" || part === "percent" ? part : "route";
}

/** Coefficients that a watch of high and low waters can have. */
export const coefficientRange = numberRangeAt(watchRequest, ["question", "coefficient"], {
  question: { kind: "tide_extreme" },
})!;

/** Describes a field that the contract refuses. */
function problemText(
  { path, range, code, message }: ContractIssue,
  draft: Draft,
  words: WordsWith<"watches">,
): string {
  const { form, quantities } = words.watches;
  const { errors } = words.ship.form;
  const inWords = (value: number) => formatNumber(value, 0, words.language);
  const wrongNumber = (what: string, [least, most]: NumberRange) =>
    form.wrongNumber({ what, least: inWords(least), most: inWords(most) });
  const field = fieldAt(path, draft);
  const [name = "", index] = field.split(".");
  switch (name) {
    case "position":
    case "station": {
      const reading = readPosition(draft.position, [words.language]).kind;
      // A place without a station is a different problem from a missing place.
      if (reading === "place") return form.noStation;
      return reading === "unclear" ? errors.unclear : errors.position;
    }
    case "route": {
      if (code !== "too_big") return form.tooLong;
      const [count, most] = [draft.route?.route.length ?? 0, watchLimits.waypoints].map(inWords);
      return form.tooManyWaypoints({ count: count!, most: most! });
    }
    case "conditions":
    case "windowConditions": {
      if (index === undefined) return wrongNumber(form.addCondition, [1, watchLimits.conditions]);
      const { quantity } = draft[name][Number(index)]!;
      return wrongNumber(quantities[quantity], rowOf(quantity).range);
    }
    case "within":
      return wrongNumber(form.within, rowOf(STORM_NM).range);
    case "tideLimit":
    case "heightLimit":
      return wrongNumber(quantities[TIDE_M], rowOf(TIDE_M).range);
    case "lasting":
      // A window lasts no longer than the hours in which it is looked for.
      return wrongNumber(form.lasting, code === "custom" ? [1, wholeOf(draft.windowAhead)] : range!);
    case "minutesBefore":
      return wrongNumber(form.minutesBefore, range!);
    case "coefficient": {
      const [least, most] = coefficientRange;
      return wrongNumber(form.coefficient({ least, most }), coefficientRange);
    }
    case "name":
      return message;
    default:
      return wrongNumber(form.ahead, range!);
  }
}
