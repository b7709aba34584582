import type { Provider } from "#server/storms/bulletin.ts";
import type { FeedText } from "#server/storms/feed.ts";
import { demoDecks } from "./atcf.ts";
import { demoJma } from "./jma.ts";

/**
 * The texts of the demo world's storms, as the agencies would have published them.
 *
 * @param now Weather clock, Unix seconds.
 */
export function demoTexts(provider: Provider, seed: number, now: number): FeedText[] {
  const at = (source: string, text: string): FeedText => ({ source, text, receivedAt: now });
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
  return demoDecks(seed, now).flatMap(({ id, bDeck, aDeck, active }) => [
    at(`btk/b${id}.dat`, bDeck),
    ...(aDeck === undefined ? [] : [at(`aid_public/a${id}.dat`, aDeck)]),
    ...(active ? [] : [at(`products/${id}.tcw`, finalWarning(id, bDeck))]),
  ]);
}

const letters: Readonly<Record<string, string>> = { wp: "W", sh: "S", al: "L", ep: "E" };

/** The coded warning that ends a storm: its last fix, and that it is the last. */
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
