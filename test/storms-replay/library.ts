import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { demoDecks } from "#server/demo/storms/jtwc.ts";
import { type Deck, readDeck } from "./deck.ts";
import type { JmaArchive, JmaBulletin } from "./jma-writer.ts";
import type { DeckSource } from "./jtwc-season.ts";
import { guidanceByBase } from "./jtwc-texts.ts";

/** What seasons are made of. */
export interface Library {
  decks: DeckSource[];
  archives: JmaArchive[];
}

/** Decks (`b*.dat`, `*-bdeck.dat`), a-decks of their storms, and JMA's archives (`tc_TC*.json`) of a directory. */
export async function readLibrary(folder: string): Promise<Library> {
  const files = (await readdir(folder, { recursive: true })).sort();
  const texts = new Map<string, string>();
  for (const file of files)
    if (/\.dat$|\.22$|tc_TC\d{4}\.json$/.test(file))
      texts.set(file, await readFile(path.join(folder, file), "utf8"));
  const guidance = [...texts].flatMap(([file, text]) =>
    /bdeck|tc_TC/.test(file) || text.includes("BEST") ? [] : [...guidanceByBase(text, /^(?:OFCL|CARQ)$/)],
  );
  const decks = [...texts.values()].flatMap((text): DeckSource[] => {
    if (!text.includes("BEST")) return [];
    const deck = readDeck(text);
    const first = deck.fixes[0]!.time;
    const last = deck.fixes.at(-1)!.time;
    const own = new Map<number, string[]>();
    for (const [base, rows] of guidance) {
      const number = `${deck.basin}, ${String(deck.number).padStart(2, "0")},`;
      const matching = rows.filter((row) => row.startsWith(number));
      if (base >= first && base <= last && matching.length > 0)
        own.set(base, [...(own.get(base) ?? []), ...matching]);
    }
    return [own.size > 0 ? { deck, guidance: own } : { deck }];
  });
  const archives = [...texts].flatMap(([file, text]) => (/tc_TC\d{4}/.test(file) ? [archiveOf(text)] : []));
  return { decks, archives };
}

interface ArchiveFile {
  tcId: string;
  snapshots: Pick<JmaBulletin, "specifications" | "forecast">[];
}

function archiveOf(text: string): JmaArchive {
  const { tcId, snapshots } = JSON.parse(text) as ArchiveFile;
  const bulletins = snapshots.map(({ specifications, forecast }): JmaBulletin => {
    const title = specifications[0] as unknown as { typhoonNumber: string; issue: { UTC: string } };
    const analysis = specifications.find(({ advancedHours }) => advancedHours === 0);
    const { validtime } = analysis as unknown as { validtime: { UTC: string } };
    return {
      issued: Date.parse(title.issue.UTC) / 1000,
      base: Date.parse(validtime.UTC) / 1000,
      typhoonNumber: title.typhoonNumber,
      specifications,
      forecast,
    };
  });
  return { code: tcId, bulletins };
}

/** Decks of the demo's storms, for a machine without samples. */
export function syntheticLibrary(from: number, days: number): Library {
  const longest = new Map<string, string>();
  for (let day = 0; day < days; day++)
    for (const { id, bDeck } of demoDecks(1, from + day * 86_400)) longest.set(id, bDeck);
  const decks: Deck[] = [...longest.values()].map(readDeck).filter(({ fixes }) => fixes.length > 8);
  return { decks: decks.map((deck) => ({ deck })), archives: [] };
}
