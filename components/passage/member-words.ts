import { fromKnots } from "@open-metocean/geo/knots";
import type { VerdictTone } from "#components/ui/verdict.tsx";
import { formatShortTime } from "#components/view-state/format-time.ts";
import type { MembersAtDeparture, PassageEnsemble } from "#lib/contract/passage-reply.ts";
import { positionText } from "#lib/position.ts";
import { parseInstant } from "#lib/time.ts";
import { numberIn } from "#lib/units.ts";
import { causeText } from "./model-words.ts";
import { ABSENT, limitText, type PassageStyle, seaUnit, windUnit } from "./passage-format.tsx";

/** Orders of departures through an ensemble, by the names of the answer. */
export const memberOrders = ["share", "worst", "time"] as const satisfies (keyof PassageEnsemble["order"])[];

export type MemberOrder = (typeof memberOrders)[number];

/** Number of members at a departure. */
export const totalOf = ({
  keep,
  break: broken,
  not_known,
}: Pick<MembersAtDeparture, "keep" | "break" | "not_known">) => keep + broken + not_known;

/** `23 of 31 members within your limits, 6 not, 2 not known`: counts of members. */
export function membersSentence(
  at: Pick<MembersAtDeparture, "keep" | "break" | "not_known">,
  { words, zone }: PassageStyle,
): string {
  const { members: text } = words;
  return [
    text.keep({ keep: at.keep, total: totalOf(at) }),
    ...(at.break > 0 ? [text.not({ count: at.break })] : []),
    ...(at.not_known > 0 ? [text.notKnown({ count: at.not_known })] : []),
  ].join(zone.words.ui.joins.list);
}

/** The tone of a departure, by whether all, some or none of its members keep the limits. */
export function membersTone(at: Pick<MembersAtDeparture, "keep" | "break" | "not_known">): VerdictTone {
  if (at.keep === totalOf(at)) return "ok";
  if (at.keep > 0) return "caution";
  return at.break > 0 ? "danger" : "none";
}

/** The arrival of the members: the median, and the times of 80 % of those that arrive within the forecast. */
export function membersArrival(
  { arrival, by_member }: MembersAtDeparture,
  { words, zone }: PassageStyle,
): string {
  const { members: text } = words;
  const { early, likely, late, members } = arrival;
  if (early === null || likely === null || late === null) return text.noArrival;
  const when = (instant: string) => formatShortTime(parseInstant(instant), zone);
  const of = { likely: when(likely), arrive: members, total: by_member.length };
  if (when(early) === when(late)) return text.arrivalAt(of);
  return text.arrival({ ...of, early: when(early), late: when(late) });
}

/** The cause that goes wrong first in most members, with their number and the earliest place; empty if there is none. */
export function membersCause({ causes: [cause] }: MembersAtDeparture, style: PassageStyle): string {
  if (!cause) return "";
  const { words, zone } = style;
  const { at, leg, by, members } = cause;
  const where = words.deciding.at({
    when: formatShortTime(parseInstant(at.timestamp), zone),
    position: positionText(at.latitude, at.longitude),
  });
  return words.members.cause({
    count: members,
    what: causeText(by, style),
    where: leg === null ? where : words.members.leg({ leg: leg + 1, where }),
  });
}

/** The highest wind and sea of any member. */
export function membersWorst({ worst }: MembersAtDeparture, style: PassageStyle): string {
  const { max_wind_kt: wind, max_height_m: sea } = worst;
  return style.words.members.worst({
    wind: wind === null ? ABSENT : limitText("wind_kt", wind, style),
    sea: sea === null ? ABSENT : limitText("head_sea_m", sea, style),
  });
}

/** The highest wind and sea of any member as numbers with one unit each: `31 kn, 3.4 m`. */
export function worstNumbers(
  { worst }: MembersAtDeparture,
  style: PassageStyle,
): { wind: string; sea: string } {
  const { max_wind_kt: wind, max_height_m: sea } = worst;
  return {
    wind: wind === null ? ABSENT : numberIn(fromKnots(wind), windUnit(style)),
    sea: sea === null ? ABSENT : numberIn(sea, seaUnit(style)),
  };
}

/** The runs behind the members, one line each, and what the members do not judge. */
export function membersFacts(
  { runs, size, unjudged_limits: unjudged }: PassageEnsemble,
  title: string,
  { words, zone }: PassageStyle,
): string[] {
  const { members: text, limits } = words;
  const { list } = zone.words.ui.joins;
  return [
    ...runs.map(({ reference_time, members }) =>
      text.run({
        ensemble: title,
        when: formatShortTime(parseInstant(reference_time), zone),
        count: members.length,
        size,
      }),
    ),
    ...(unjudged.length > 0
      ? [text.unjudged({ list: unjudged.map((name) => limits[name]).join(list) })]
      : []),
    text.caution,
  ];
}
