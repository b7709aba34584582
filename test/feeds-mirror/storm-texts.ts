import { gzipSync } from "node:zlib";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { type DemoDeck, demoDecks } from "#server/demo/storms/jtwc.ts";
import { type Deck, readDeck } from "#test/storms-replay/deck.ts";
import { codedWarning, currentStorms, isSynoptic, proseWarning } from "#test/storms-replay/warnings.ts";

/** Texts by host and path. */
export type StormTexts = ReadonlyMap<string, ReadonlyMap<string, string | Uint8Array>>;

const SEED = 1;
const NHC_BASINS = ["AL", "EP", "CP"];
const MOST_SLOTS = 5;
const WARNED_S = 3 * 3600;

/** Text of a slot that was never cleared: a storm of 2024. */
const staleSlot = [
  "WTPN54 PGTW 161500",
  "WARNING    ATCG MIL 25W NWP 241116140527",
  "2024111612 25W MAN-YI     030  01 290 10 SATL 030",
  "T000 141N 1241E 140 R064 045 NE QD 040 SE QD 035 SW QD 045 NW QD",
  "NNNN",
  "",
].join("\n");

interface Storm {
  demo: DemoDeck;
  deck: Deck;
  isNhc: boolean;
  /** Its newest synoptic fix. */
  last: number;
  year: string;
}

/** Texts of the demo's storms on the agencies' hosts at a base time: decks, warnings, lists, outlooks, JMA's files. */
export function stormTexts(base: number, now: number): StormTexts {
  const storms = demoDecks(SEED, now).map((demo): Storm => {
    const deck = readDeck(demo.bDeck);
    return {
      demo,
      deck,
      isNhc: NHC_BASINS.includes(deck.basin),
      last: deck.fixes.findLastIndex(isSynoptic),
      year: demo.id.slice(-4),
    };
  });
  const files = new Map<string, Map<string, string | Uint8Array>>();
  const put = (host: string, path: string, text: string | Uint8Array) => {
    const folder = files.get(host) ?? new Map<string, string | Uint8Array>();
    files.set(host, folder.set(path, text));
  };
  const slots = new Map<string, number>();
  for (const storm of storms) {
    putDecks(put, storm);
    if (!storm.isNhc && storm.deck.number < 90) putWarnings(put, storm, slots);
  }
  put("tgftp.nws.noaa.gov", "/data/raw/wt/wtpn54.pgtw..txt", staleSlot);
  put("www.metoc.navy.mil", "/jtwc/rss/jtwc.rss", rssOf(storms, base));
  put("www.nhc.noaa.gov", "/CurrentStorms.json", currentStorms(nhcList(storms, base)));
  putTexts(put, now);
  return files;
}

type Put = (host: string, path: string, text: string | Uint8Array) => void;

function putDecks(put: Put, { demo: { id, bDeck, aDeck }, isNhc, year }: Storm): void {
  put("hurricanes.ral.ucar.edu", `/repository/data/bdecks_open/${year}/b${id}.dat`, bDeck);
  if (!isNhc) put("www.ssd.noaa.gov", `/PS/TROP/DATA/ATCF/JTWC/b${id}.dat`, bDeck);
  else put("ftp.nhc.noaa.gov", `/atcf/btk/b${id}.dat`, bDeck);
  if (aDeck === undefined) return;
  put("hurricanes.ral.ucar.edu", `/repository/data/adecks_open/${year}/a${id}.dat.gz`, gzipSync(aDeck));
  if (!isNhc) return;
  put("ftp.nhc.noaa.gov", `/atcf/aid_public/a${id}.dat.gz`, gzipSync(aDeck));
  put("ftp.nhc.noaa.gov", `/atcf/fst/${id}.fst`, aDeck);
}

/**
 * Adds JTWC's products, and the same bulletins in the slots of the weather service: 31 to 35 in prose, 51 to 55 in
 * code.
 */
function putWarnings(put: Put, { demo, deck, last, year }: Storm, slots: Map<string, number>): void {
  const ocean = { WP: "pn", IO: "io", SH: "xs" }[deck.basin] ?? "pn";
  const slot = (slots.get(ocean) ?? 0) + 1;
  slots.set(ocean, slot);
  const prose = proseWarning(deck, last, !demo.active);
  const coded = codedWarning(deck, last, !demo.active);
  const product = `${demo.id.slice(0, 4)}${year.slice(2)}`;
  put("www.metoc.navy.mil", `/jtwc/products/${product}web.txt`, prose);
  put("www.metoc.navy.mil", `/jtwc/products/${product}.tcw`, coded);
  if (slot > MOST_SLOTS) return;
  put("tgftp.nws.noaa.gov", `/data/raw/wt/wt${ocean}3${slot}.pgtw..txt`, prose);
  put("tgftp.nws.noaa.gov", `/data/raw/wt/wt${ocean}5${slot}.pgtw..txt`, coded);
}

function nhcList(storms: readonly Storm[], base: number) {
  return storms
    .filter(({ demo, deck, isNhc }) => isNhc && demo.active && deck.number < 90)
    .map(({ demo, deck, last }) => {
      const { latitude, longitude, windKt, pressureHpa, name } = deck.fixes[last]!;
      return { id: demo.id, name, windKt, pressureHpa, latitude, longitude, updated: base + WARNED_S };
    });
}

/** Adds the outlooks, and JMA's files, under the names of the demo's feed. */
function putTexts(put: Put, now: number): void {
  for (const { source, text } of feedTexts("jtwc", now, { seed: SEED })) {
    if (source === "products/abpwweb.txt") {
      put("www.metoc.navy.mil", "/jtwc/products/abpwweb.txt", text);
      put("tgftp.nws.noaa.gov", "/data/raw/ab/abpw10.pgtw..txt", text);
    }
    if (source === "products/wtpn21.txt") put("tgftp.nws.noaa.gov", "/data/raw/wt/wtpn21.pgtw..txt", text);
    if (source === "text/TWOEP.txt") {
      put("www.nhc.noaa.gov", "/text/TWOEP.txt", text);
      put("tgftp.nws.noaa.gov", "/data/raw/ab/abpz20.knhc.two.ep.txt", text);
    }
    if (source === "xgtwo/gtwo_pac.kml") put("www.nhc.noaa.gov", "/xgtwo/gtwo_pac.kml", text);
  }
  for (const { source, text } of feedTexts("jma", now, { seed: SEED })) {
    put("www.jma.go.jp", `/bosai/typhoon/data/${source}`, text);
  }
}

/** JTWC's list of current warnings. */
function rssOf(storms: readonly Storm[], base: number): string {
  const items = storms
    .filter(({ demo, deck, isNhc }) => !isNhc && demo.active && deck.number < 90)
    .map(({ demo, deck, last, year }) => {
      const product = `${demo.id.slice(0, 4)}${year.slice(2)}`;
      const link = `https://www.metoc.navy.mil/jtwc/products/${product}`;
      const name = deck.fixes[last]!.name;
      const number = String(deck.number).padStart(2, "0");
      return `<item><title>Tropical Cyclone ${number}${deck.letter} (${name})</title><description><![CDATA[<b>Tropical Cyclone ${number}${deck.letter} (${name}) Warning #${String(last).padStart(2, "0")}</b><ul><li><a href='${link}web.txt'>TC Warning Text</a></li><li><a href='${link}.tcw'>JMV 3.0 Data</a></li></ul>]]></description></item>`;
    });
  const date = new Date((base + WARNED_S) * 1000).toUTCString();
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>JTWC TROPICAL CYCLONE INFORMATION</title><pubDate>${date}</pubDate>${items.join("")}</channel></rss>\n`;
}
