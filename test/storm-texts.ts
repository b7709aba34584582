import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Parsed } from "@open-metocean/storms/bulletin";
import { parseText } from "@open-metocean/storms/text";

/** Converts to Unix seconds. */
export const at = (iso: string) => Date.parse(iso.endsWith("Z") ? iso : `${iso}Z`) / 1000;

/** Times at which texts were received whose heading gives only the day of the month; all others were received later. */
const received: Readonly<Record<string, string>> = {
  "wp2426web_dujuan_nr022.txt": "2026-09-20T21:30:00Z",
  "wtpq50_rjtd_2613_dolphin.txt": "2026-08-08T01:00:00Z",
  "abpwweb.txt": "2026-09-25T07:00:00Z",
  "abioweb.txt": "2026-09-25T07:00:00Z",
  "wp9226web.txt": "2026-09-25T13:30:00Z",
  "wp9226web-cancelled.txt": "2026-09-25T13:30:00Z",
  "wtio33-of-32w.txt": "2026-09-25T10:00:00Z",
  "wtio33-goes-on.txt": "2026-09-25T10:00:00Z",
};

/** Parses a text with the time at which it was received. @param file Its path, of which only the name matters. */
export function parseReceived(file: string, text: string): Parsed {
  return parseText(file, text, at(received[file.split("/").at(-1)!] ?? "2026-09-25T15:30:00Z"));
}

const fixtures = join(import.meta.dirname, "../lib/storms/parse/fixtures");

/** Texts of agencies for which no real sample is available: `abpwweb.txt`. */
export const fixtureNames = readdirSync(fixtures).filter((file) => file.endsWith(".txt"));

export const fixture = (name: string) => readFileSync(join(fixtures, name), "utf8");

/** Paths of real texts in folders of the samples. */
export function sampleFiles(samples: string, ...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(samples, folder), { recursive: true })
      .map((file) => join(folder, String(file)))
      .filter((file) => statSync(join(samples, file)).isFile()),
  );
}

export const readSample = (samples: string, file: string) => readFileSync(join(samples, file), "utf8");
