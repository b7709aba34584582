import { ConfigError } from "#server/platform/env.ts";
import type { FieldFeed, Profile } from "./field-feed.ts";

/** FEEDS names what is not there. */
export class WrongFeedsError extends ConfigError {
  override readonly name = "WrongFeedsError";
  readonly reason: string;
  constructor(setting: string, reason: string) {
    super(`FEEDS=${setting}: ${reason}`);
    this.reason = reason;
  }
}

/** Feeds that FEEDS turns on. */
export interface FeedSelection {
  profile: Profile;
  fields: FieldFeed[];
  /** Names of feeds of storms. */
  storms: string[];
}

export const profileNames: readonly Profile[] = ["lite", "standard", "full"];

/**
 * The feeds of fields in `lite`, where the others have all: 10-m wind, gust, pressure, waves and currents, each of two
 * publishers, so that none of them ends with one feed. Of waves the second one is that with the fewest bytes.
 */
const lite: ReadonlySet<string> = new Set(["gfs", "gfswave", "ecmwf", "cmemswave", "smoc", "hycom"]);

const isProfile = (word: string): word is Profile => profileNames.some((name) => name === word);

/**
 * The feeds of the setting FEEDS: `none`; `all` feeds; a profile, with the feeds that belong to it; names; or a profile and
 * names, which narrow it: names of fields choose among its fields, names of storms among the feeds of storms.
 *
 * @param feeds All feeds of fields.
 * @param storms Names of all feeds of storms: a profile has all of them, because they are small.
 * @throws WrongFeedsError
 */
export function selectFeeds(
  setting: string,
  feeds: readonly FieldFeed[],
  storms: readonly string[],
): FeedSelection {
  const words = setting.split(/, ?/);
  const profiles = words.filter(isProfile);
  const [profile = "standard"] = profiles;
  if (words.includes("none")) {
    if (words.length > 1) throw new WrongFeedsError(setting, "none stands alone");
    return { profile, fields: [], storms: [] };
  }
  if (profiles.length > 1) throw new WrongFeedsError(setting, "one profile at a time");
  const names = words.filter((word) => !isProfile(word) && word !== "all");
  const unknown = names.find((name) => !feeds.some((feed) => feed.name === name) && !storms.includes(name));
  if (unknown !== undefined) {
    const known = [...feeds.map(({ name }) => name), ...storms].join(", ");
    throw new WrongFeedsError(
      setting,
      `there is no feed "${unknown}"; there are ${known}, and lite, standard, full, all`,
    );
  }
  const ofFields = feeds.map(({ name }) => name);
  const chosen = (known: readonly string[], ofSetting: (name: string) => boolean) => {
    if (words.includes("all")) return known;
    const named = known.filter((name) => names.includes(name));
    return named.length > 0 || profiles.length === 0 ? named : known.filter(ofSetting);
  };
  const own = feeds.filter(({ isOwn }) => isOwn).map(({ name }) => name);
  const fields = chosen(ofFields, (name) => profile !== "lite" || lite.has(name) || own.includes(name));
  return {
    profile,
    fields: feeds.filter(({ name }) => fields.includes(name)),
    // All are small: every profile has them.
    storms: [...chosen(storms, () => true)],
  };
}
