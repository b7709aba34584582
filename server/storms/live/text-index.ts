import { readFile } from "node:fs/promises";
import { ifMissing, replaceFile } from "#server/platform/files.ts";

/** What is known of one address. */
export interface Address {
  /** Of its last answer, for a conditional request. */
  etag?: string;
  lastModified?: number;
  /** Not asked before, Unix seconds. */
  due: number;
  /** What came of the last request; `same` is a text no newer than the one in the folder. */
  outcome: "good" | "same" | "bad" | "absent" | "obsolete" | "failed";
  /** Time of its newest statement, Unix seconds. */
  newest?: number;
  /** Failures in a row, and what the last one was, for the operator. */
  failures: number;
  reason?: string;
}

/** A text in the folder. */
export interface TextRecord {
  url: string;
  newest?: number;
  /** When an address last said that it is the newest, Unix seconds. */
  confirmed: number;
}

/** What is remembered of the texts of a feed, beside them. */
export interface TextIndex {
  addresses: Record<string, Address>;
  texts: Record<string, TextRecord>;
}

/** An index that is missing or damaged costs one unconditional request for each text. */
export async function readIndex(path: string): Promise<TextIndex> {
  const text = await readFile(path, "utf8").catch(ifMissing(""));
  try {
    const { addresses, texts } = JSON.parse(text) as Partial<TextIndex>;
    if (isRecord(addresses) && isRecord(texts)) return { addresses, texts };
  } catch {
    // As if there were none.
  }
  return { addresses: {}, texts: {} };
}

export async function writeIndex(path: string, index: TextIndex): Promise<void> {
  await replaceFile(path, JSON.stringify(index, null, 1));
}

function isRecord(value: unknown): value is Record<string, never> {
  return typeof value === "object" && value !== null;
}
