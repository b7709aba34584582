import { isTracked, type Parsed, stormId } from "../bulletin.ts";
import { DAY_S } from "../time.ts";
import { parseDeck } from "./deck.ts";
import { isCodedAlert } from "./formation-alert.ts";
import { parseJmaArchive, parseJmaJson, parseJmaText, parseJmaXml, parseTargetTc } from "./jma.ts";
import {
  MAX_AHEAD_S,
  refuseExercise,
  refuseLaterPart,
  revisionOf,
  TextCutError,
  TextExerciseError,
  TextObsoleteError,
  TextRefusedError,
  withoutPreamble,
} from "./message.ts";
import { NHC_OUTLOOK, parseCurrentStorms, readNhcAreas, readNhcOutlook } from "./nhc.ts";
import { parseFormationAlert, parseOutlook } from "./outlook.ts";
import { propertyOf } from "./structured.ts";
import { parseVitals } from "./vitals.ts";
import { parseTcw, parseWarning } from "./warning.ts";

/**
 * Longest texts by kind, characters: several times the longest real ones. The memory that a parsed text takes must stay far
 * below the heap of the storms' thread: V8 ends the process, not the thread, when JSON.parse does not fit.
 */
const MAX = { deck: 20_000_000, list: 5_000_000, bulletin: 1_000_000 };

/** A text has its heading within this distance of its start, characters. */
const MAX_HEADING = 400;

/** A heading at least this long identifies the kind of a text. */
const RECOGNISED_FROM = 20;

/**
 * Reads a text of a storm feed in any supported format, which is recognised by its content. Unreadable content becomes a
 * problem of the text, never an exception.
 *
 * @param name Path of the text in the feed: the season of a deck and the code of a JMA storm are read from it.
 * @param now Weather clock, Unix seconds.
 */
export function parseText(name: string, text: string, now: number): Parsed {
  try {
    const parsed = tracked(parserFor(withoutPreamble(text), name, now));
    const revision = parsed.revision ?? revisionOf(text.slice(0, MAX_HEADING).toUpperCase());
    return revision === undefined ? parsed : { ...parsed, revision };
  } catch (error) {
    if (!(error instanceof TextRefusedError)) throw error;
    const problem = { line: 0, reason: error.message };
    if (error instanceof TextExerciseError)
      return { reports: [], problems: [{ ...problem, isRead: true }], isVoid: true };
    const isCut = error instanceof TextCutError ? ({ isCut: true } as const) : {};
    const isVoid = error instanceof TextObsoleteError ? ({ isVoid: true } as const) : {};
    return { reports: [], problems: [problem], ...isCut, ...isVoid };
  }
}

/** Removes the reports with numbers that do not belong to storms, and names them as problems. */
function tracked(parsed: Parsed): Parsed {
  const others = parsed.reports.filter(({ number }) => !isTracked(number));
  if (others.length === 0) return parsed;
  const reports = parsed.reports.filter(({ number }) => isTracked(number));
  const problems = [...new Set(others.map(stormId))].map((id) => {
    const reason = `${id} is no storm (storms are 01 to 49, invests 90 to 99, tests 80 to 89): left out`;
    return { line: 0, reason, isRead: true as const };
  });
  const listed = parsed.listed && {
    ...parsed.listed,
    keys: parsed.listed.keys.filter((key) => isTracked(Number(key.slice(2, 4)))),
  };
  const isVoid = reports.length === 0 && !listed ? ({ isVoid: true } as const) : {};
  return {
    ...parsed,
    reports,
    problems: [...parsed.problems, ...problems],
    ...(listed && { listed }),
    ...isVoid,
  };
}

/**
 * Reads a deck until now. If all of it is up to 6 h ahead, it is read as it is, for `issuedUntil` to mark: this machine's
 * clock is slow, and the storm must not be missing because of it. A deck that continues after that is of the past, and
 * replayed.
 */
function parseDeckNear(text: string, name: string, now: number): Parsed {
  const past = parseDeck(text, name, now);
  if (past.reports.length > 0) return past;
  const ahead = parseDeck(text, name, now + DAY_S);
  return ahead.reports.every(({ issued }) => issued <= now + MAX_AHEAD_S) ? ahead : past;
}

function parserFor(text: string, name: string, now: number): Parsed {
  const first = text.search(/\S/);
  if (first < 0) throw new TextCutError("the text is empty");
  const written = text.slice(first, first + 4000);
  const start = written.toUpperCase();
  const isDeck = /^[A-Z]{2},/.test(start);
  const isJson = start.startsWith("{") || start.startsWith("[");
  const isVitals = /^(?:JTWC|JTWX|NHC|JMA) +\d\d[A-Z] /.test(start);
  const max = isDeck ? MAX.deck : isJson || isVitals ? MAX.list : MAX.bulletin;
  if (text.length > max) throw new TextRefusedError(`longer than any text of its kind: ${max} characters`);
  if (/^<[^<]{0,200}(?:\s*<!--[^<]{0,500})?\s*<kml[\s>]|^<kml[\s>]/.test(written)) {
    return { reports: [], problems: [], outlook: readNhcAreas(text) };
  }
  if (start.startsWith("<")) return parseJmaXml(text);
  if (isJson) return parseJson(text, name);
  if (isDeck) return parseDeckNear(text, name, now);
  refuseExercise(start);
  if (NHC_OUTLOOK.test(start))
    return { reports: [], problems: [], outlook: readNhcOutlook(text.trimStart(), now) };
  // Some mirrors bring messages in lower case.
  const message = text.toUpperCase();
  if (isVitals) return parseVitals(message);
  if (/^[A-Z]{4}\d\d +RJTD /.test(start)) return parseJmaText(message, now);
  refuseLaterPart(message);
  if (/^AB(?:PW|IO)\d\d /.test(start)) return parseOutlook(message, now);
  // Warnings refer to the alert that they replace; only the slots 21 to 29 contain alerts.
  if (/^WT[A-Z]{2}2\d +[A-Z]{4} /.test(start) || isCodedAlert(start))
    return parseFormationAlert(message, now, name);
  if (/^WARNING +ATCG/m.test(start)) return parseTcw(message, now, name);
  if (/^[A-Z]{4}\d\d +[A-Z]{4} +\d{6}/.test(start)) return parseWarning(message, now, name);
  if (start.trim().length < RECOGNISED_FROM)
    throw new TextCutError("the text ends before it says what it is");
  throw new TextRefusedError("no text of a storm feed that is known here");
}

function parseJson(text: string, name: string): Parsed {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    if (isAtEnd(message, text)) throw new TextCutError("the JSON does not end");
    throw new TextRefusedError(`no JSON: ${message.slice(0, 120)}`);
  }
  if (propertyOf(content, "activeStorms") !== undefined) return parseCurrentStorms(content);
  if (propertyOf(content, "snapshots") !== undefined) return parseJmaArchive(content);
  if (!Array.isArray(content)) throw new TextRefusedError("no JSON of a storm feed that is known here");
  const isList = content.length === 0 || propertyOf(content[0], "tropicalCyclone") !== undefined;
  return isList ? parseTargetTc(content) : parseJmaJson(content, name);
}

/** Whether JSON.parse failed because the text ends too early. */
function isAtEnd(message: string, text: string): boolean {
  if (/end of JSON input|Unterminated string/.test(message)) return true;
  const position = /at position (\d+)/.exec(message)?.[1];
  return position !== undefined && Number(position) >= text.trimEnd().length;
}
