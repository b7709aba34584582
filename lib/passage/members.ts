import type { VariableName } from "#lib/catalog/variables.ts";
import type {
  MemberOutcome,
  MembersAtDeparture,
  ModelVerdict,
  PassageEnsemble,
  PassagePlan,
} from "#lib/contract/passage-reply.ts";
import { percentileOf } from "#lib/ensemble/statistics.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { Limits } from "./limits.ts";
import { drivingVariables } from "./march.ts";
import { neededVariables } from "./model-agreement.ts";
import { passingToWire } from "./to-wire.ts";
import type { JudgedPiece } from "./verdict.ts";
import type { Vessel } from "./vessel.ts";

/**
 * Variables that are read for each member: those that move the vessel, those that the limits need, and those of the worst case.
 */
export function memberVariables({ vessel, limits }: { vessel: Vessel; limits: Limits }): VariableName[] {
  return [...new Set([...drivingVariables(vessel), ...neededVariables(limits), "gust", "wave"] as const)];
}

/** The passage of one member, and the facts that its outcome follows from. */
interface MemberPassage {
  /** CF realization, 0 = control. */
  member: number;
  plan: PassagePlan;
  pieces: readonly JudgedPiece[];
  /** The leg of what decided the verdict; null if it concerns none. */
  decidingLeg: number | null;
  /** The variables that the limits need and the member does not know: see `unknownOf`. */
  unknown: ModelVerdict["unknown"];
  /** How many legs the route has. */
  legs: number;
}

/**
 * How the passage of one member goes. It breaks a limit if its plan has the verdict NO, whatever is unknown; it
 * keeps the limits if it also knows all that they need until it arrives; otherwise that is not known.
 */
export function memberOutcome({
  member,
  plan,
  pieces,
  decidingLeg,
  unknown,
  legs,
}: MemberPassage): MemberOutcome {
  const { verdict, deciding, ending, no_forecast_from, totals } = plan;
  const breaks = verdict === "NO";
  const beyond = pieces.filter(({ measured: [most] }) => (most?.ratio ?? 0) > 1);
  const broken = new Set(beyond.map(({ piece }) => piece.leg));
  if (breaks && decidingLeg !== null) broken.add(decidingLeg);
  const [first] = beyond;
  const decided = breaks && deciding ? { by: deciding.by, leg: decidingLeg, at: deciding.at } : undefined;
  // The deciding cause is the worst, which may come after the first limit that is exceeded.
  const begins =
    first && !(decided && parseInstant(decided.at.timestamp) < first.piece.at.time)
      ? { by: first.measured[0]!.limit, leg: first.piece.leg, at: passingToWire(first.piece.at) }
      : decided;
  const isWhole = ending === "arrived" && no_forecast_from === null;
  return {
    member,
    keeps: breaks ? false : unknown.length > 0 || !isWhole ? null : true,
    arrival: isWhole ? plan.arrival : null,
    ending: no_forecast_from === null ? ending : "forecast_ends",
    by: begins?.by ?? null,
    leg: begins?.leg ?? null,
    at: begins?.at ?? null,
    broken_legs: [...broken].sort((one, other) => one - other),
    known_legs: knownLegs(pieces, unknown, legs, ending === "arrived"),
    max_wind_kt: totals.max_wind_kt,
    max_gust_kt: totals.max_gust_kt,
    max_height_m: totals.max_height_m,
    max_ratio: worstRatio(pieces, deciding),
  };
}

/** How many legs are sailed, from the first one on, before something that the limits need is unknown. */
function knownLegs(
  pieces: readonly JudgedPiece[],
  unknown: ModelVerdict["unknown"],
  legs: number,
  arrives: boolean,
): number {
  const from = Math.min(
    ...unknown.map(({ from }) => (from === null ? Number.NEGATIVE_INFINITY : parseInstant(from))),
  );
  const without = pieces.find(({ piece }) => Math.round(piece.at.time) >= from)?.piece.leg;
  if (without !== undefined) return without;
  return arrives ? legs : (pieces.at(-1)?.piece.leg ?? 0);
}

function worstRatio(pieces: readonly JudgedPiece[], deciding: PassagePlan["deciding"]): number | null {
  const ratios = pieces.flatMap(({ measured: [most] }) => most?.ratio ?? []);
  const worst = ratios.reduce((one, other) => Math.max(one, other), deciding?.ratio ?? -1);
  return worst < 0 ? null : Math.round(1000 * worst) / 1000;
}

/** Whether a member keeps the limits on a leg; null if that is not known. */
export function keepsLeg({ broken_legs, known_legs }: MemberOutcome, leg: number): boolean | null {
  if (broken_legs.includes(leg)) return false;
  return leg < known_legs ? true : null;
}

/** Counts of members. */
type Counted = Pick<MembersAtDeparture, "keep" | "break" | "not_known">;

function counted(states: readonly (boolean | null)[]): Counted {
  const of = (state: boolean | null) => states.filter((one) => one === state).length;
  return { keep: of(true), break: of(false), not_known: of(null) };
}

/** The members at one departure. @param legs How many legs the route has. */
export function membersAtDeparture(
  departure: string,
  by_member: MemberOutcome[],
  legs: number,
): MembersAtDeparture {
  const whole = counted(by_member.map(({ keeps }) => keeps));
  const arrival = arrivalOf(by_member);
  const causes = causesOf(by_member);
  const worst = worstOf(by_member);
  return {
    departure,
    ...whole,
    arrival,
    legs: Array.from({ length: legs }, (_, leg) => counted(by_member.map((one) => keepsLeg(one, leg)))),
    causes,
    worst,
    text: departureText(by_member.length, whole, arrival, causes),
    by_member,
  };
}

function arrivalOf(members: readonly MemberOutcome[]): MembersAtDeparture["arrival"] {
  const times = Float64Array.from(members.flatMap(({ arrival }) => arrival ?? []).map(parseInstant)).sort();
  const at = (percent: number) =>
    times.length === 0 ? null : formatInstant(Math.round(percentileOf(times, times.length, percent)));
  const ends = members.filter(({ ending }) => ending === "forecast_ends").length;
  return {
    members: times.length,
    early: at(10),
    likely: at(50),
    late: at(90),
    forecast_ends: ends,
    never: members.length - times.length - ends,
  };
}

/** Groups members by the limit that they break first, with the earliest place where one does. Most members first. */
function causesOf(members: readonly MemberOutcome[]): MembersAtDeparture["causes"] {
  const broken = members.filter(({ keeps, by }) => keeps === false && by !== null);
  return [...Map.groupBy(broken, ({ by }) => by!)]
    .map(([by, all]) => {
      const first = all.reduce((one, other) => (other.at!.timestamp < one.at!.timestamp ? other : one));
      return { by, members: all.length, leg: first.leg, at: first.at! };
    })
    .sort((one, other) => other.members - one.members || (one.at.timestamp < other.at.timestamp ? -1 : 1));
}

function worstOf(members: readonly MemberOutcome[]): MembersAtDeparture["worst"] {
  const most = (of: (one: MemberOutcome) => number | null) => {
    const known = members.flatMap((one) => of(one) ?? []);
    return known.length > 0 ? Math.max(...known) : null;
  };
  const max_ratio = most((one) => one.max_ratio);
  return {
    max_wind_kt: most((one) => one.max_wind_kt),
    max_gust_kt: most((one) => one.max_gust_kt),
    max_height_m: most((one) => one.max_height_m),
    max_ratio,
    member:
      (max_ratio === null ? undefined : members.find((one) => one.max_ratio === max_ratio)?.member) ?? null,
  };
}

/** `23 of 31 members keep the limits, 6 do not, 2 are not known`, what goes wrong first, and the arrival; in English. */
function departureText(
  total: number,
  { keep, break: broken, not_known }: Counted,
  { members, early, likely, late }: MembersAtDeparture["arrival"],
  [cause]: MembersAtDeparture["causes"],
): string {
  const parts = [
    `${keep} of ${total} members keep the limits`,
    ...(broken > 0 ? [`${broken} do not`] : []),
    ...(not_known > 0 ? [`for ${not_known} it is not known`] : []),
  ];
  const where = cause && `${cause.leg === null ? "" : `on leg ${cause.leg + 1} `}at ${cause.at.timestamp}`;
  return [
    parts.join(", "),
    ...(cause ? [`First in ${cause.members} of them: ${cause.by}, the earliest ${where}`] : []),
    ...(members > 0
      ? [
          `${members} of ${total} arrive within the forecast: 10 % of these before ${early}, half before ${likely}, 90 % before ${late}`,
        ]
      : ["None arrives within the forecast"]),
  ].join(". ");
}

/**
 * Positions of departures, best first. `share`: most members that keep the limits, then fewest that break them, then the likely
 * duration. `worst`: the worst ratio to a limit in any member, then its wind and sea. `time`: the likely duration. For the last two,
 * departures come last of which not all members are known to arrive, or not more than half of them.
 */
export function orderOfMembers(departures: readonly MembersAtDeparture[]): PassageEnsemble["order"] {
  const last = Number.POSITIVE_INFINITY;
  const duration = ({ departure, arrival: { likely } }: MembersAtDeparture) =>
    likely === null ? last : parseInstant(likely) - parseInstant(departure);
  const total = ({ by_member }: MembersAtDeparture) => by_member.length;
  const keys: Record<keyof PassageEnsemble["order"], (one: MembersAtDeparture) => number[]> = {
    share: (one) => [-one.keep, one.break, duration(one)],
    worst: (one) => [
      one.arrival.members === total(one) ? 0 : 1,
      one.worst.max_ratio ?? last,
      one.worst.max_wind_kt ?? last,
      one.worst.max_height_m ?? last,
    ],
    time: (one) => [2 * one.arrival.members > total(one) ? 0 : 1, duration(one)],
  };
  const by = (key: (one: MembersAtDeparture) => number[]) =>
    departures
      .map((one, index) => ({ index, key: key(one) }))
      .sort((one, other) => compare(one.key, other.key) || one.index - other.index)
      .map(({ index }) => index);
  return { share: by(keys.share), worst: by(keys.worst), time: by(keys.time) };
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries())
    if (value !== other[index]) return value < other[index]! ? -1 : 1;
  return 0;
}

/** Joins what some members and departures gave with what others did. */
export function joinEnsembles(one: PassageEnsemble, more: PassageEnsemble): PassageEnsemble {
  const joined = new Map<string, MemberOutcome[]>();
  for (const { departure, by_member } of [...one.departures, ...more.departures])
    joined.set(departure, [...(joined.get(departure) ?? []), ...by_member]);
  const legs = (one.departures[0] ?? more.departures[0])?.legs.length ?? 0;
  const departures = [...joined].map(([departure, members]) => membersAtDeparture(departure, members, legs));
  const runs = new Map(one.runs.map((run) => [run.run, run]));
  for (const run of more.runs) {
    const members = new Set([...(runs.get(run.run)?.members ?? []), ...run.members]);
    runs.set(run.run, { ...run, members: [...members].sort((a, b) => a - b) });
  }
  return { ...one, runs: [...runs.values()], departures, order: orderOfMembers(departures) };
}
