import type { Env } from "#server/platform/env.ts";

export interface BannerContent {
  host: string;
  port: number;
  key?: string;
  /** A time within the time window, in the API's format. */
  time: string;
  /** The setting FEEDS. */
  feeds: string;
  guests: GuestSetting;
}

/** The setting GUESTS, or its default. */
type GuestSetting = Pick<Env["guests"], "mode" | "ofDemo">;

/**
 * Describes who is admitted without a key. The sentence for the default stays true after real data has replaced the
 * demo.
 */
export function guestsInWords({ mode, ofDemo }: GuestSetting): string {
  return words[mode !== "off" && ofDemo ? "demo" : mode];
}

const words = {
  off: "off: everybody needs a key; GUESTS=map npm start shows the map to visitors",
  demo: "while the demo world answers they read the map without a key; GUESTS=off asks everybody for one",
  map: "GUESTS=map: visitors read the map without a key; GUESTS=off asks everybody for one",
  api: "GUESTS=api: visitors and programs read the map, points and storms without a key",
};

/** Tells how to turn forecasts on, where none are fetched. */
export const feedsHint = "FEEDS=lite npm start; npm run metocean -- feeds plan says what it fetches";

/**
 * The text on the console once the server listens: an address to open, the key, and a working curl command.
 *
 * The key is in the fragment of the address, which browsers do not send to servers.
 */
export function startupBanner({ host, port, key, time, feeds, guests }: BannerContent): string {
  const base = `http://${hostInUrl(host)}:${port}`;
  const forecasts =
    feeds === "none"
      ? `  Real forecasts  ${feedsHint}`
      : `  Forecasts       FEEDS=${feeds}; no data until the first arrives: npm run metocean -- feeds status`;
  const visitors = `  Visitors        ${guestsInWords(guests)}`;
  if (!key) {
    return [
      "",
      `  Open MetOcean   ${base}/`,
      '  A new key       npm run metocean -- keys create --owner <name> --limit "600 per 1 minute"',
      forecasts,
      visitors,
      "",
    ].join("\n");
  }
  return [
    "",
    `  Open MetOcean   ${base}/#key=${encodeURIComponent(key)}`,
    `  API key         ${key}`,
    forecasts,
    visitors,
    "",
    "  Try it:",
    `  curl -s ${base}/MetOcean -H 'x-api-key: ${key.replaceAll("'", "'\\''")}' -H 'content-type: application/json' \\`,
    `    -d '{"points":[{"latitude":0,"longitude":-30,"timestamp":"${time}"}],"variables":["wind"]}'`,
    "",
  ].join("\n");
}

/** A host name that works in a browser on this machine. IPv6 addresses get brackets. */
function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
