import type { StormProvider } from "#lib/contract/storm-providers.ts";
import { andThen } from "#server/platform/and-then.ts";
import { demoAreas } from "./areas.ts";
import { demoDecks } from "./atcf.ts";
import { newestBase, SYNOPTIC_S } from "./fix.ts";
import { demoJma } from "./jma.ts";

/** How long the answer of `isSynthetic` is reused, milliseconds: it reads the list of runs. */
const RECHECK_MS = 1000;

export interface DemoStormFeedDeps {
  seed: number;
  /** Whether the demo's storms replace received ones, or appear where the weather is synthetic too. */
  mode: "always" | "auto";
  /** Whether the weather is synthetic now. */
  isSynthetic: () => boolean | Promise<boolean>;
  /** Monotonic clock, milliseconds. */
  elapsed: () => number;
}

/** The demo's storms as a feed that the server polls. Its texts come from `feedTexts` of this module. */
export function demoStormFeed({ seed, mode, isSynthetic, elapsed }: DemoStormFeedDeps) {
  let isActive = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    synthetic: true,
    takesPrecedence: mode === "always",
    isActive(): boolean | Promise<boolean> {
      if (mode === "always") return true;
      if (elapsed() - checkedAt < RECHECK_MS) return isActive;
      return andThen(isSynthetic(), (answer) => {
        isActive = answer;
        checkedAt = elapsed();
        return answer;
      });
    },
    newestBase,
    intervalS: SYNOPTIC_S,
    backfilledBulletins: 8,
    module: import.meta.url,
    options: { seed },
  };
}

/**
 * The texts of the demo's storms in the formats of the agencies.
 *
 * @param now Weather clock, Unix seconds.
 */
export function feedTexts(provider: StormProvider, now: number, { seed }: { seed: number }) {
  const at = (source: string, text: string) => ({ source, text, receivedAt: now });
  if (provider === "jma") {
    const { targetTc, bulletins } = demoJma(seed, now);
    return [
      at("targetTc.json", targetTc),
      ...Object.entries(bulletins).flatMap(([code, { specifications, forecast }]) => [
        at(`${code}/specifications.json`, specifications),
        at(`${code}/forecast.json`, forecast),
      ]),
    ];
  }
  const { advisory, alert, outlook, areas } = demoAreas(seed, now);
  return [
    ...demoDecks(seed, now).flatMap(({ id, bDeck, aDeck, active }) => [
      at(`btk/b${id}.dat`, bDeck),
      ...(aDeck === undefined ? [] : [at(`aid_public/a${id}.dat`, aDeck)]),
      ...(active ? [] : [at(`products/${id}.tcw`, finalWarning(id, bDeck))]),
    ]),
    at("products/abpwweb.txt", advisory),
    at("products/wtpn21.txt", alert),
    at("text/TWOEP.txt", outlook),
    at("xgtwo/gtwo_pac.kml", areas),
  ];
}

const letters: Readonly<Record<string, string>> = { wp: "W", sh: "S", al: "L", ep: "E" };

/** The coded warning that ends a storm, with its last fix. */
function finalWarning(id: string, bDeck: string): string {
  const fields = bDeck
    .trimEnd()
    .split("\n")
    .at(-1)!
    .split(",")
    .map((field) => field.trim());
  const [date, latitude, longitude, wind] = [fields[2]!, fields[6]!, fields[7]!, fields[8]!];
  const padded = (text: string, width: number) => text.padStart(width, "0");
  const storm = `${id.slice(2, 4)}${letters[id.slice(0, 2)]}`;
  const heading = `${date.slice(6, 8)}${date.slice(8, 10)}00`;
  return [
    `WTPN51 PGTW ${heading}`,
    `WARNING    ATCG MIL ${storm} DEMO ${date.slice(2)}0000`,
    `${date} ${storm} ${fields[27]} 099  01 000 00 SATL 060`,
    `T000 ${padded(latitude, 4)} ${padded(longitude, 5)} ${padded(wind, 3)}`,
    "THIS IS THE FINAL WARNING ON THIS SYSTEM. THE SYSTEM WILL BE CLOSELY",
    "MONITORED FOR SIGNS OF REGENERATION.",
    "NNNN",
    "",
  ].join("\n");
}
