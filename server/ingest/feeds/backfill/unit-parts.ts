import type { FieldFeed, Part, Profile, WantedMessage } from "#server/ingest/feeds/field-feed.ts";
import { isFor, messagesOf } from "#server/ingest/feeds/profile-fields.ts";
import type { Unit } from "./units.ts";

/** A part that a unit is made of. */
export interface NeededPart {
  part: Part;
  /** The feed, of which only the messages that the unit needs are wanted. */
  feed: FieldFeed;
  /** Of what is true at an instant another part is nearer: only maxima and means of the time before are taken. */
  isForWindows: boolean;
}

/**
 * The parts of the shortest leads: of each time those of the newest cycle that has it, and for what is a maximum or a mean
 * of the time before, at a base time, those of the cycle before.
 */
export function partsOf(feed: FieldFeed, profile: Profile, unit: Unit): NeededPart[] {
  const { every, offset } = feed.cycles;
  const all = narrowed(feed, unit, () => true);
  const windows = narrowed(feed, unit, ({ time }) => time !== "instant");
  const needed: NeededPart[] = [];
  const first = offset + (Math.floor((unit.from - offset) / every) - 1) * every;
  for (let cycle = first; cycle <= unit.to; cycle += every) {
    for (const each of feed.parts(cycle, profile)) {
      const part = { ...each, times: each.times.filter((time) => time % unit.every === 0) };
      if (!part.times.some((time) => time >= unit.from && time <= unit.to)) continue;
      const lead = part.times[0]! - cycle;
      if (lead > every) break;
      const isForWindows = lead === every;
      const narrow = isForWindows ? windows : all;
      const wanted = messagesOf(narrow, part, profile);
      if (isForWindows && !wanted) continue;
      if (!wanted || wanted.length > 0) needed.push({ part, feed: narrow, isForWindows });
    }
  }
  return needed;
}

/** The part with the same times of the cycle before, in place of one that no mirror has. */
export function earlierPart(feed: FieldFeed, profile: Profile, unit: Unit, { times, cycle }: Part) {
  const has = (each: Part) => times.every((time) => each.times.includes(time));
  const part = feed.parts(cycle - feed.cycles.every, profile).find(has);
  return part && { part: { ...part, times }, feed: narrowed(feed, unit, () => true), isForWindows: false };
}

/** Bytes of a part, about: by the share of its messages that are wanted. */
export function bytesOf({ part, feed }: NeededPart, whole: FieldFeed, profile: Profile): number {
  const wanted = messagesOf(feed, part, profile);
  const all = messagesOf(whole, part, profile);
  const share = wanted && all ? wanted.length / all.length : 1;
  return share * whole.partBytes(profile);
}

/** The feed, of which only the messages for the fields of a unit are fetched. */
function narrowed(feed: FieldFeed, { wants }: Unit, among: (message: WantedMessage) => boolean): FieldFeed {
  const needs = feed.source.rules
    .filter(({ field }) => wants(field))
    .flatMap(({ choices }) => choices.flatMap((choice) => choice.needs))
    .filter((need) => need.kind === "grib2");
  return {
    ...feed,
    objects(part, profile, mirror) {
      const objects = feed.objects(part, profile, mirror);
      if (objects?.kind !== "messages") return objects;
      const wanted = objects.wanted.filter(
        (message) => among(message) && needs.some((need) => isFor(message, need)),
      );
      return { ...objects, wanted };
    },
  };
}
