import type { FieldFeed, WantedMessage } from "#server/ingest/feeds/field-feed.ts";
import { ensembleFeeds, fieldFeeds } from "#server/ingest/publishers/registry.ts";

const HOUR_S = 3600;
const DAY_S = 86_400;

/** SMOC from its daily files only, which are used where no store answers. */
export const SMOC_FILES = "smoc-files";

export function feedNamed(name: string): FieldFeed {
  const found = [...fieldFeeds, ...ensembleFeeds].find(
    (feed) => feed.name === (name === SMOC_FILES ? "smoc" : name),
  );
  if (found && name === SMOC_FILES) {
    return {
      ...found,
      mirrors: found.mirrors.filter((mirror) => mirror.name === "Copernicus files"),
      // The profile `lite` uses the stores only.
      objects: (part, _profile, mirror) => found.objects(part, "standard", mirror),
    };
  }
  if (!found) throw new RangeError(`There is no feed ${name}`);
  return found;
}

/** A feed whose cycles end early, so that a test takes seconds instead of minutes. @param hours Longest lead. */
export function shortFeed(name: string, hours: number): FieldFeed {
  const feed = feedNamed(name);
  return {
    ...feed,
    parts: (cycle, profile) =>
      feed.parts(cycle, profile).filter(({ times }) => times.every((time) => time <= cycle + hours * HOUR_S)),
  };
}

/** An ensemble of its first members alone, for what does not depend on how many there are. */
export function smallEnsemble(feed: FieldFeed, size: number): FieldFeed {
  return {
    ...feed,
    ensemble: { ...feed.ensemble!, size },
    objects: (part, profile, mirror) => {
      const objects = feed.objects(part, profile, mirror);
      if (objects?.kind !== "members") return objects;
      const isIn = ({ part }: WantedMessage) => typeof part !== "number" || part < size;
      const few = objects.objects.map((object) => ({ ...object, wanted: object.wanted.filter(isIn) }));
      return { ...objects, objects: few.filter(({ wanted }) => wanted.length > 0) };
    },
  };
}

/**
 * The longest lead that a feed needs, hours, so that a forecast reaches far enough at any time, even after a failed
 * cycle. @param ahead Hours.
 */
export function leadFor(name: string, ahead: number): number {
  const { cycles, delay, parts } = feedNamed(name);
  const hours = ahead + oldestWhole({ cycles, delay }) / HOUR_S;
  // Steps are at most six hours apart, parts of currents a day.
  const step = parts(cycles.offset, "lite")[0]!.times.length > 1 ? 24 : 6;
  return step * Math.ceil(hours / step);
}

/** Age of the newest complete cycle if the next one has failed, seconds. */
export function oldestWhole({ cycles, delay }: Pick<FieldFeed, "cycles" | "delay">): number {
  return cycles.every > 30 * DAY_S ? 0 : 2 * cycles.every + delay.whole;
}
