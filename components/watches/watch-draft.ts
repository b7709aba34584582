import "#components/api-client/without-eval.ts";
import type { Place } from "@open-metocean/geo/sphere";
import type { DangerMethod, StormProvider } from "@open-metocean/storms/providers";
import { passageRequest } from "#lib/contract/passage.ts";
import { type Watch, type WatchCondition, watchLimits } from "#lib/contract/watch.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import type { Language } from "#lib/messages/language.ts";
import { questionOf } from "#lib/passage/question.ts";
import { positionText } from "#lib/position.ts";
import { readPosition } from "#lib/positions/read-position.ts";
import { type HourlyQuantity, rowOf, STORM_NM, TIDE_M, type WatchQuantity } from "#lib/watches/quantities.ts";
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
  id: number;
  quantity: HourlyQuantity;
  isOver: boolean;
  limit: string;
}

/** The fields of the dialog as typed. */
export interface Draft {
  name: string;
  kind: DraftKind;
  /** Typed position; it equals that of `place` until it is edited. */
  position: string;
  place: Place | undefined;
  join: "any" | "all";
  conditions: DraftCondition[];
  windowConditions: DraftCondition[];
  ahead: string;
  windowAhead: string;
  lasting: string;
  within: string;
  source: string | undefined;
  /** Station for a tide; undefined until the nearest one is known. */
  station: ChosenStation | undefined;
  isTideOver: boolean;
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

const condition = (id: number, quantity: HourlyQuantity, isOver: boolean, limit: number): DraftCondition => ({
  id,
  quantity,
  isOver,
  limit: String(limit),
});

/** Initial values: a gale or a rough sea, fair weather, a storm within 200 n mi. */
export function newDraft(
  { place, route, provider, station, kind = station ? "tide" : "danger" }: About,
  words: Messages["watches"],
): Draft {
  const draft: Draft = {
    name: "",
    kind,
    position: place ? positionText(place.latitude, place.longitude) : "",
    place,
    join: "any",
    conditions: [condition(1, "gust_kt", true, 30), condition(2, "sea_m", true, 3)],
    windowConditions: [condition(3, "wind_kt", false, 20), condition(4, "sea_m", false, 1.5)],
    ahead: "48",
    windowAhead: "120",
    lasting: "36",
    within: "200",
    source: undefined,
    station,
    isTideOver: true,
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
  return { ...draft, name: nameOf(draft, words) };
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

/** The draft of an existing watch. */
export function draftOf(watch: Watch, words: Messages["watches"]): Draft {
  const { question, name, channels } = watch;
  if (question.kind === "tide") {
    const { over, under } = question.conditions[0]!;
    return {
      ...newDraft({ station: { id: question.station, name: "", datum: question.datum ?? "" } }, words),
      name,
      channels,
      isTideOver: over !== undefined,
      tideLimit: String(over ?? under),
      tideAhead: String(question.window_hours),
    };
  }
  if (question.kind === "tide_extreme") {
    const { type, minutes_before, conditions, coefficient } = question;
    const { over, under } = conditions[0] ?? {};
    const heightFilter = over !== undefined ? "over" : under !== undefined ? "under" : "none";
    return {
      ...newDraft({ station: { id: question.station, name: "", datum: question.datum ?? "" } }, words),
      kind: "extreme",
      name,
      channels,
      extremeType: type,
      minutesBefore: String(minutes_before),
      filter: coefficient === undefined ? heightFilter : "coefficient",
      heightLimit: String(over ?? under ?? ""),
      ...(coefficient !== undefined && { coefficient: String(coefficient) }),
    };
  }
  const { latitude, longitude } = "latitude" in question ? question : { latitude: 0, longitude: 0 };
  const draft = { ...newDraft({ place: { latitude, longitude } }, words), name, channels };
  if (question.kind === "new_run") return { ...draft, kind: "run", source: question.source };
  const conditions = question.conditions.flatMap(({ quantity, over, under }, id) =>
    quantity === STORM_NM ? [] : [condition(id + 10, quantity, over !== undefined, over ?? under!)],
  );
  if (question.kind === "window")
    return {
      ...draft,
      kind: "window",
      windowConditions: conditions,
      windowAhead: String(question.window_hours),
      lasting: String(question.lasting_hours),
    };
  const storm = question.conditions.find(({ quantity }) => quantity === STORM_NM);
  const { kind, conditions: _, join, ...rest } = question;
  const { provider, storm_method } = question;
  return {
    ...draft,
    storms: { provider, storm_method },
    extra: conditions.length > 0 && storm ? [storm] : [],
    ...(kind === "route" ? { route: rest as RouteQuestion } : { ahead: String(question.window_hours) }),
    join,
    ...(storm && conditions.length === 0
      ? { kind: "storm" as const, within: String(storm.under) }
      : { conditions }),
  };
}

/** Parses a typed number with a decimal comma or point; undefined outside the range. */
function numberOf(text: string, [least, most]: readonly [number, number]): number | undefined {
  const number = readTypedDecimal(text);
  return number >= least && number <= most ? number : undefined;
}

/** A problem of a draft: the field and its range, or a passage that is too large to be watched. */
export type DraftProblem =
  | {
      field: "ahead" | "lasting" | "within" | "conditions" | "minutesBefore" | "coefficient" | WatchQuantity;
      range: readonly [number, number];
    }
  | { position: "unclear" | "invalid" }
  | { station: "none" }
  | { waypoints: number; most: number }
  | { isLong: true };

type DraftField = Extract<DraftProblem, { field: unknown }>["field"];

/** Problems of a passage that is too large to be watched. */
function sizeProblems({ route, departure, vessel }: RouteQuestion): DraftProblem[] {
  const { waypoints: most, places } = watchLimits;
  if (route.length > most) return [{ waypoints: route.length, most }];
  const parsed = passageRequest.safeParse({ route, departure, vessel });
  return parsed.success && questionOf(parsed.data).places > places ? [{ isLong: true }] : [];
}

/**
 * The request of a draft, or its problems. @param watch The watch that is changed; properties that the dialog
 * does not show stay unchanged.
 */
export function requestOf(
  draft: Draft,
  language: Language,
  words: Messages["watches"],
  watch?: Watch,
): { body: SentWatch } | { problem: DraftProblem } {
  const problems: DraftProblem[] = [];
  const read = (field: DraftField, text: string, range: readonly [number, number]) => {
    const number = numberOf(text, range);
    if (number === undefined) problems.push({ field, range });
    return number ?? 0;
  };
  const whole = (field: "ahead" | "lasting", text: string) => Math.round(read(field, text, [1, 240]));
  const { kind } = draft;
  const asked = (list: readonly DraftCondition[]) =>
    list.map(({ quantity, isOver, limit }) => ({
      quantity,
      [isOver ? "over" : "under"]: read(quantity, limit, rowOf(quantity).range),
    }));
  const at = (): Place => {
    const { place, position } = draft;
    // The text is rounded to a tenth of a minute, so an unedited position uses the exact place.
    if (place && position === positionText(place.latitude, place.longitude)) return place;
    const reading = readPosition(position, [language]);
    if (reading.kind === "place") return reading.place;
    problems.push({ position: reading.kind });
    return { latitude: 0, longitude: 0 };
  };
  const question = ((): SentWatch["question"] => {
    if (kind === "run") return { kind: "new_run", ...(draft.source && { source: draft.source }) };
    // A place without a station is a different problem from a missing place.
    if (isOfTides(kind) && !draft.station) {
      at();
      if (problems.length === 0) problems.push({ station: "none" });
    }
    if (kind === "extreme") {
      const { station, extremeType: type, filter, minutesBefore, heightLimit } = draft;
      const { id = "", datum = "" } = station ?? {};
      const minutes = Math.round(read("minutesBefore", minutesBefore, [0, watchLimits.minutes_before]));
      const asked = { kind: "tide_extreme" as const, station: id, datum, type, minutes_before: minutes };
      if (filter === "none") return asked;
      if (filter === "coefficient")
        return { ...asked, coefficient: Math.round(read("coefficient", draft.coefficient, [20, 120])) };
      const limit = read(TIDE_M, heightLimit, rowOf(TIDE_M).range);
      return { ...asked, conditions: [{ quantity: TIDE_M, [filter]: limit }] };
    }
    if (kind === "tide") {
      const { station, isTideOver, tideLimit, tideAhead } = draft;
      const limit = read(TIDE_M, tideLimit, rowOf(TIDE_M).range);
      const hours = whole("ahead", tideAhead);
      const conditions = [{ quantity: TIDE_M as typeof TIDE_M, [isTideOver ? "over" : "under"]: limit }];
      const { id = "", datum = "" } = station ?? {};
      return { kind, station: id, datum, window_hours: hours, conditions };
    }
    if (kind === "window") {
      const conditions = asked(draft.windowConditions);
      const hours = {
        window_hours: whole("ahead", draft.windowAhead),
        lasting_hours: whole("lasting", draft.lasting),
      };
      if (hours.lasting_hours > hours.window_hours)
        problems.push({ field: "lasting", range: [1, hours.window_hours] });
      return { kind, ...at(), ...hours, conditions };
    }
    const conditions =
      kind === "storm"
        ? [{ quantity: STORM_NM, under: read("within", draft.within, rowOf(STORM_NM).range) } as const]
        : [...asked(draft.conditions), ...draft.extra];
    const more = { ...draft.storms, join: draft.join, conditions };
    if (draft.route) problems.push(...sizeProblems(draft.route));
    if (draft.route) return { ...draft.route, kind: "route", ...more };
    return { kind: "place", ...at(), window_hours: whole("ahead", draft.ahead), ...more };
  })();
  const used = kind === "window" ? draft.windowConditions : draft.conditions;
  if ((kind === "danger" || kind === "window") && used.length === 0)
    problems.push({ field: "conditions", range: [1, 6] });
  if (problems[0]) return { problem: problems[0] };
  const name = draft.name.trim() || nameOf(draft, words);
  // undefined is left out of the JSON, which means all channels.
  const channels = draft.channels ?? undefined;
  return { body: { ...(watch && sentOf(watch)), language, name, question, channels } };
}
