import { ConfigError } from "#server/platform/env.ts";
import type { FieldFeed, Profile } from "./field-feed.ts";

/** Feeds that FEEDS turns on. */
export interface FeedSelection {
  profile: Profile;
  fields: FieldFeed[];
  /** Names of feeds of storms. */
  storms: string[];
}

/** The feeds of fields in a profile; `all` has every feed. */
const ofProfile: Readonly<Record<Profile, (name: string) => boolean>> = {
  // 10-m wind, gust, pressure, waves, currents.
  lite: (name) => ["gfs", "gfswave", "smoc"].includes(name),
  // Every variable once.
  standard: (name) => ["gfs", "gfswave", "smoc", "oisst", "etopo"].includes(name),
  // A second opinion on weather and waves; a second one on currents is asked for by name.
  full: (name) => name !== "hycom",
};

const isProfile = (word: string): word is Profile => word in ofProfile;

/**
 * The feeds of the setting FEEDS: `none`; `all` feeds; a profile, with the feeds that belong to it; names; or a profile and
 * names, which then are the only ones.
 *
 * @param feeds All feeds of fields.
 * @param storms Names of all feeds of storms: a profile has all of them, because they are small.
 * @throws ConfigError that names what is wrong.
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
    if (words.length > 1) throw wrong(setting, "none stands alone");
    return { profile, fields: [], storms: [] };
  }
  if (profiles.length > 1) throw wrong(setting, "one profile at a time");
  const names = words.filter((word) => !isProfile(word) && word !== "all");
  const unknown = names.find((name) => !feeds.some((feed) => feed.name === name) && !storms.includes(name));
  if (unknown !== undefined) {
    const known = [...feeds.map(({ name }) => name), ...storms].join(", ");
    throw wrong(setting, `there is no feed "${unknown}"; there are ${known}, and lite, standard, full, all`);
  }
  const isOn = words.includes("all")
    ? () => true
    : names.length > 0
      ? (name: string) => names.includes(name)
      : (name: string) => ofProfile[profile](name) || storms.includes(name);
  return {
    profile,
    fields: feeds.filter(({ name }) => isOn(name)),
    storms: storms.filter(isOn),
  };
}

function wrong(setting: string, why: string): ConfigError {
  return new ConfigError(`FEEDS=${setting}: ${why}`);
}
