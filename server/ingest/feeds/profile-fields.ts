import type { FieldName } from "#lib/catalog/fields.ts";
import type { GribSelector, Selector } from "#server/ingest/sources/source.ts";
import type { FieldFeed, Part, PartObjects, Profile, WantedMessage } from "./field-feed.ts";

/** The title of a feed, with the resolution of the profile. */
export function titleOf({ title, resolution }: FieldFeed, profile: Profile): string {
  return resolution ? `${title}, ${resolution[profile]}` : title;
}

/** The fields that a profile has of a feed. */
export function fieldsOfProfile(feed: FieldFeed, profile: Profile, cycle = feed.cycles.offset): FieldName[] {
  const [part] = feed.parts(cycle, profile);
  const objects = part && objectsOf(feed, part, profile);
  const has = (need: Selector) => {
    if (objects?.kind === "messages")
      return need.kind === "grib2" && objects.wanted.some((message) => isFor(message, need));
    if (objects?.kind === "zarr") return need.kind === "netcdf" && objects.arrays.includes(need.variable);
    return true;
  };
  return feed.source.rules
    .filter(({ choices }) => choices.some(({ needs }) => needs.every(has)))
    .map(({ field }) => field);
}

/** The messages of a part; undefined where it comes whole. */
export function messagesOf(
  feed: FieldFeed,
  part: Part,
  profile: Profile,
): readonly WantedMessage[] | undefined {
  const objects = objectsOf(feed, part, profile);
  return objects?.kind === "messages" ? objects.wanted : undefined;
}

/** Where the first mirror has a part. */
function objectsOf(feed: FieldFeed, part: Part, profile: Profile): PartObjects | undefined {
  for (const mirror of feed.mirrors) {
    const objects = feed.objects(part, profile, mirror);
    if (objects) return objects;
  }
  return undefined;
}

/** Whether a message is the one that a conversion needs. */
export function isFor({ element, level, time }: WantedMessage, need: GribSelector): boolean {
  return element === need.parameter.element && level === need.level.words && time === need.time;
}
