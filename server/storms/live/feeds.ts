import { isTracked, type Provider } from "@open-metocean/storms/bulletin";
import { instantOf, monthOf } from "@open-metocean/storms/message";
import { listOf, propertyOf, textOf } from "@open-metocean/storms/structured";
import { DAY_S } from "#lib/time.ts";
import type { HostRules } from "#server/platform/fetching/host-limits.ts";

/** A feed of storm texts that is fetched. */
export interface LiveFeed {
  /** Name of the feed, as in FEEDS. */
  name: "jtwc" | "nhc" | "jma";
  title: string;
  credit: string;
  /** Provider whose storms the texts are on. */
  provider: Provider;
  /**
   * Brings the folder of the feed up to date, from `stormHosts` only.
   */
  collect(round: LiveRound): Promise<void>;
}

/** Location of a text. */
export interface TextPlace {
  /** Path of the text in the folder of the feed. */
  file: string;
  /** Addresses of the same text, in order: the first one that gives a fresh text is enough. */
  urls: readonly string[];
  /** Shortest time between two requests, seconds. */
  everyS: number;
  /**
   * A text without news for longer than this is also fetched from the next address, seconds. Without a value the next
   * address is never asked for news.
   */
  freshS?: number;
}

/** One look at a feed. */
export interface LiveRound {
  /** Unix seconds. */
  now: number;
  /**
   * Brings a text up to date, if it is due. A text that is cut, unreadable or older than the one in the folder changes
   * nothing.
   *
   * @returns The text in the folder; undefined if there is none. `isOk` says whether an address gave it, now or when it was
   *   last due.
   */
  text(place: TextPlace): Promise<{ text: string | undefined; isOk: boolean }>;
  /**
   * Brings a list of files or links up to date. Such a page is not a text of a storm.
   *
   * @param isWhole Whether a text is such a list, complete to its end.
   */
  page(
    place: TextPlace,
    isWhole: (text: string) => boolean,
  ): Promise<{ text: string | undefined; isOk: boolean }>;
  /** Marks the feed as not working, because no address gave any of these texts. */
  lacks(...files: string[]): void;
  /** Removes a text of a storm that a list no longer has. */
  remove(file: string): Promise<void>;
  /** Paths of all texts in the folder. */
  files(): Promise<string[]>;
}

/** All hosts that feeds of storms may ask, and the request rules of each. Some hosts serve several feeds. */
export const stormHosts: Readonly<Record<string, HostRules>> = {
  "ftp.nhc.noaa.gov": { requestsPerMinute: 60, atOnce: 2 },
  "hurricanes.ral.ucar.edu": { requestsPerMinute: 30, atOnce: 2 },
  "tgftp.nws.noaa.gov": { requestsPerMinute: 60, atOnce: 2 },
  "www.data.jma.go.jp": { requestsPerMinute: 30, atOnce: 2 },
  "www.jma.go.jp": { requestsPerMinute: 30, atOnce: 2 },
  "www.metoc.navy.mil": { requestsPerMinute: 30, atOnce: 2 },
  "www.nhc.noaa.gov": { requestsPerMinute: 30, atOnce: 2 },
  "www.ssd.noaa.gov": { requestsPerMinute: 30, atOnce: 2 },
};

/** Lists say what is new; agencies renew them with each advisory, and at any time when a storm forms. */
const LIST_EVERY_S = 600;

/** Advisories and fixes come every 3 to 6 h, at varying minutes. */
const TEXT_EVERY_S = 1800;

/**
 * Advisories, warnings and fixes of a storm come once per cycle. A text that is two cycles old is also fetched from the
 * next mirror.
 */
const CYCLE_S = 6 * 3600;

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
const jtwcFeed: LiveFeed = {
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

const FTP = "https://ftp.nhc.noaa.gov/atcf";

/** NHC and CPHC: list of active storms, best tracks with invests, official forecasts, outlooks. */
export const nhcFeed: LiveFeed = {
  name: "nhc",
  title: "Tropical cyclones of the Atlantic and the eastern Pacific",
  credit: "NOAA National Hurricane Center",
  provider: "jtwc",
  async collect(round) {
    const list = await round.text({
      file: "CurrentStorms.json",
      urls: ["https://www.nhc.noaa.gov/CurrentStorms.json"],
      everyS: LIST_EVERY_S,
    });
    if (!list.isOk) round.lacks("CurrentStorms.json");
    // This list has invests, and storms before their first advisory.
    const place = { file: "btk.html", urls: [`${FTP}/btk/`], everyS: TEXT_EVERY_S };
    const page = await round.page(place, isFileList);
    const decks = listedDecks(page.text ?? "", round.now);
    const ids = new Set([...idsOf(list.text), ...decks.map((name) => name.slice(1, -4))]);
    for (const id of [...ids].sort()) {
      await round.text({
        file: `btk/b${id}.dat`,
        urls: [`${FTP}/btk/b${id}.dat`, `${RAL}/${id.slice(4)}/b${id}.dat`],
        everyS: TEXT_EVERY_S,
        freshS: 2 * CYCLE_S,
      });
      // Invests have no official forecast.
      if (Number(id.slice(2, 4)) >= 90) continue;
      await round.text({ file: `fst/${id}.fst`, urls: [`${FTP}/fst/${id}.fst`], everyS: TEXT_EVERY_S });
    }
    for (const name of ["abnt20.knhc.two.at", "abpz20.knhc.two.ep", "acpn50.phfo.two.cp"])
      await round.text({ file: `${name}.txt`, urls: [`${GATEWAY}/ab/${name}.txt`], everyS: TEXT_EVERY_S });
  },
};

/** Ids such as `al012026` of the storms of the list. */
function idsOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const storms = propertyOf(JSON.parse(text), "activeStorms");
  return listOf(storms)
    .map((storm) => textOf(propertyOf(storm, "id"))?.toLowerCase() ?? "")
    .filter((id) => /^(?:al|ep|cp)\d{6}$/.test(id) && isTracked(Number(id.slice(2, 4))));
}

const BOSAI = "https://www.jma.go.jp/bosai/typhoon/data";
const XML = "https://www.data.jma.go.jp/developer/xml";

/** JMA: its typhoon data as JSON, and its telegrams where these cannot be had. */
export const jmaFeed: LiveFeed = {
  name: "jma",
  title: "Typhoons of the western Pacific",
  credit: "Japan Meteorological Agency",
  provider: "jma",
  async collect(round) {
    const list = await round.text({
      file: "targetTc.json",
      urls: [`${BOSAI}/targetTc.json`],
      everyS: LIST_EVERY_S,
    });
    const codes = codesOf(list.text);
    const isWhole = [list.isOk];
    for (const code of codes)
      for (const part of ["specifications", "forecast"]) {
        const file = `${code}/${part}.json`;
        // Near Japan a bulletin comes every hour.
        const { isOk } = await round.text({ file, urls: [`${BOSAI}/${file}`], everyS: LIST_EVERY_S });
        isWhole.push(isOk);
      }
    if (list.isOk) await removeEnded(round, codes);
    if (!isWhole.every(Boolean)) await telegrams(round);
  },
};

export const stormFeeds: readonly LiveFeed[] = [jtwcFeed, nhcFeed, jmaFeed];

/** A storm that has ended answers 404; its text is removed only because the list no longer has it. */
async function removeEnded(round: LiveRound, codes: readonly string[]): Promise<void> {
  for (const file of await round.files()) {
    const code = /^(TC\d{4})\//.exec(file)?.[1];
    if (code !== undefined && !codes.includes(code)) await round.remove(file);
  }
}

/** Each telegram of the last day has an address of its own and never changes. */
const NEVER_AGAIN_S = 400 * 86_400;
const TELEGRAMS_S = 86_400;

async function telegrams(round: LiveRound): Promise<void> {
  const place = {
    file: "extra.xml",
    urls: [`${XML}/feed/extra.xml`, `${XML}/feed/extra_l.xml`],
    everyS: TEXT_EVERY_S,
  };
  const feed = await round.page(
    place,
    (text) => text.includes("<feed") && text.trimEnd().endsWith("</feed>"),
  );
  if (!feed.isOk) round.lacks("targetTc.json", "extra.xml");
  for (const url of telegramsOf(feed.text ?? "", round.now))
    await round.text({
      file: `xml/${url.slice(url.lastIndexOf("/") + 1)}`,
      urls: [url],
      everyS: NEVER_AGAIN_S,
    });
}

function telegramsOf(atom: string, now: number): string[] {
  const entries = atom.split("<entry>").slice(1);
  return entries.flatMap((entry) => {
    const url =
      /href="(https:\/\/www\.data\.jma\.go\.jp\/developer\/xml\/data\/[\w.-]+VPTW[456]\d[\w.-]*\.xml)"/;
    const found = url.exec(entry)?.[1];
    const updated = Date.parse(/<updated>([^<]{10,40})<\/updated>/.exec(entry)?.[1] ?? "") / 1000;
    return found !== undefined && now - updated <= TELEGRAMS_S ? [found] : [];
  });
}

/** Codes such as `TC2613` of the storms of the list. */
function codesOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  return listOf(JSON.parse(text))
    .map((storm) => textOf(propertyOf(storm, "tropicalCyclone")) ?? "")
    .filter((code) => /^TC\d{4}$/.test(code));
}

const DECK = /href="(b(?:al|ep|cp|wp|io|sh|sl)\d{2}\d{4}\.dat)"([^\n]{0,300})/gi;
const ISO = /(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d)/;
const NAMED = /(\d\d)-([A-Z][a-z]{2})-(\d{4}) (\d\d):(\d\d)/;

/** Decks of storms that are over stay in their folder for the season. */
const RECENT_S = 2 * DAY_S;

/**
 * Names of the best tracks of storms and invests in a web server's list of files that changed within two days; one without a
 * date counts.
 *
 * @param now Unix seconds.
 */
export function listedDecks(html: string, now: number): string[] {
  const names = new Set<string>();
  for (const [, name, rest] of html.matchAll(DECK)) {
    const changed = dateIn(rest!);
    const isRecent = changed === undefined || now - changed <= RECENT_S;
    if (isRecent && isTracked(Number(name!.slice(3, 5)))) names.add(name!.toLowerCase());
  }
  return [...names].sort();
}

/** Whether a page is a whole list of files. An error page or a robot check is not one. */
export function isFileList(html: string): boolean {
  return /<title>Index of|<h1>Index of|Parent Directory/i.test(html) && html.trimEnd().endsWith("</html>");
}

function dateIn(text: string): number | undefined {
  const iso = ISO.exec(text);
  const named = NAMED.exec(text);
  const time = iso
    ? instantOf(Number(iso[1]), Number(iso[2]), Number(iso[3]), Number(iso[4]), Number(iso[5]))
    : named
      ? instantOf(Number(named[3]), monthOf(named[2]), Number(named[1]), Number(named[4]), Number(named[5]))
      : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
