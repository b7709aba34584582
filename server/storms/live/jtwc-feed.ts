import { CYCLE_S, LIST_EVERY_S, TEXT_EVERY_S } from "./cycles.ts";
import { isFileList, listedDecks } from "./listed-decks.ts";
import type { LiveFeed, LiveRound } from "./live-feed.ts";

const NAVY = "https://www.metoc.navy.mil/jtwc";
const GATEWAY = "https://tgftp.nws.noaa.gov/data/raw";
const SSD = "https://www.ssd.noaa.gov/PS/TROP/DATA/ATCF/JTWC";
const RAL = "https://hurricanes.ral.ucar.edu/repository/data/bdecks_open";

/** Slots of the network of weather services that repeat JTWC's warnings, in prose and in code, by ocean. */
const slots = ["pn", "io", "xs"].flatMap((ocean) =>
  [31, 32, 33, 34, 35, 51, 52, 53, 54, 55].map((slot) => `wt${ocean}${slot}`),
);
const alertSlots = ["pn", "io", "xs"].flatMap((ocean) => [21, 22, 23].map((slot) => `wt${ocean}${slot}`));

/** JTWC: warnings and alerts, outlooks, best tracks with invests. */
export const jtwcFeed: LiveFeed = {
  name: "jtwc",
  title: "Tropical cyclones of the western Pacific, the Indian Ocean and the south",
  credit: "Joint Typhoon Warning Center",
  provider: "jtwc",
  async collect(round) {
    await warnings(round);
    for (const [product, slot] of [
      ["abpwweb", "abpw10"],
      ["abioweb", "abio10"],
    ])
      await round.text({
        file: `products/${product}.txt`,
        urls: [`${NAVY}/products/${product}.txt`, `${GATEWAY}/ab/${slot}.pgtw..txt`],
        everyS: TEXT_EVERY_S,
        freshS: 24 * 3600,
      });
    await decks(round);
  },
};

/** The navy's host refuses addresses of data centres; the gateway has the same warnings in slots that are never cleared. */
async function warnings(round: LiveRound): Promise<void> {
  const place = { file: "jtwc.rss", urls: [`${NAVY}/rss/jtwc.rss`], everyS: LIST_EVERY_S };
  const list = await round.page(place, (text) => text.includes("<rss") && text.trimEnd().endsWith("</rss>"));
  if (list.isOk) {
    for (const product of productsOf(list.text ?? ""))
      await round.text({
        file: `products/${product}`,
        urls: [`${NAVY}/products/${product}`],
        everyS: TEXT_EVERY_S,
      });
    return;
  }
  const answers = [];
  for (const slot of [...slots, ...alertSlots]) {
    const urls = [`${GATEWAY}/wt/${slot}.pgtw..txt`];
    answers.push(await round.text({ file: `slots/${slot}.txt`, urls, everyS: TEXT_EVERY_S }));
  }
  if (!answers.some(({ isOk }) => isOk)) round.lacks("jtwc.rss", `slots/${slots[0]}.txt`);
}

/** Mirrors of decks have come and gone; each has all storms of its time. NESDIS is reported to serve them no more: it is the last. */
async function decks(round: LiveRound): Promise<void> {
  const year = new Date(round.now * 1000).getUTCFullYear();
  const names = new Map<string, string[]>();
  // Decks of a southern season, and of a storm over New Year, lie in the folder of their season.
  for (const folder of [`${RAL}/${year}`, `${RAL}/${year + 1}`, SSD]) {
    const file = `${folder.split("/").slice(-2).join("-")}.html`;
    const page = await round.page({ file, urls: [`${folder}/`], everyS: TEXT_EVERY_S }, isFileList);
    if (!page.isOk) continue;
    for (const name of listedDecks(page.text ?? "", round.now))
      if (/^b(?:wp|io|sh)/.test(name)) names.set(name, [...(names.get(name) ?? []), `${folder}/${name}`]);
  }
  for (const [name, urls] of names)
    await round.text({ file: `btk/${name}`, urls, everyS: TEXT_EVERY_S, freshS: 2 * CYCLE_S });
}

/** Names of the texts that JTWC's RSS links: `wp2526web.txt`, `wp2526.tcw`. */
function productsOf(rss: string): string[] {
  const names = rss.matchAll(/\/jtwc\/products\/((?:wp|io|sh|ep|cp)\d{4}(?:web\.txt|\.tcw))\b/gi);
  return [...new Set([...names].map(([, name]) => name!.toLowerCase()))].sort();
}
