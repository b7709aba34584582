import type { FieldName } from "#lib/catalog/fields.ts";
import type { GribSelector } from "#server/ingest/sources/source.ts";
import type { FieldFeed, Part, Profile, WantedMessage } from "./field-feed.ts";

/** The fields that a profile has of a feed. */
export function fieldsOfProfile(feed: FieldFeed, profile: Profile): FieldName[] {
  const [part] = feed.parts(feed.cycles.offset, profile);
  const wanted = part && messagesOf(feed, part, profile);
  const has = (need: GribSelector) => wanted?.some((message) => isFor(message, need));
  return feed.source.rules
    .filter(
      ({ choices }) =>
        !wanted || choices.some(({ needs }) => needs.every((need) => need.kind === "grib2" && has(need))),
    )
    .map(({ field }) => field);
}

/** The messages of a part; undefined where it comes whole. */
export function messagesOf(
  feed: FieldFeed,
  part: Part,
  profile: Profile,
): readonly WantedMessage[] | undefined {
  for (const mirror of feed.mirrors) {
    const objects = feed.objects(part, profile, mirror);
    if (objects) return objects.kind === "messages" ? objects.wanted : undefined;
  }
  return undefined;
}

/** Whether a message is the one that a conversion needs. */
export function isFor({ element, level, time }: WantedMessage, need: GribSelector): boolean {
  return element === need.parameter.element && level === need.level.words && time === need.time;
}
