import { formatNames } from "#lib/contract/media-types.ts";
import type { FileContents, OpengribsRequest } from "#lib/opengribs/request.ts";
import { fileText, octetsOf, spotText } from "#lib/saildocs/answer-text.ts";
import {
  type FileRequestLine,
  howTo,
  type MailRequest,
  readMailRequests,
  type SpotRequestLine,
} from "#lib/saildocs/request.ts";
import type { SpotRow } from "#lib/saildocs/spot.ts";
import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import type { Attachment, Mail } from "#server/platform/mail.ts";

/** The weather of the service, as answers need it. */
export interface MailWeather {
  /**
   * Makes a GRIB2 file, thinned to a size.
   *
   * @throws ProcessingError with a text for the person who asked; UnavailableError.
   */
  file(request: OpengribsRequest, maxBytes: number, owner: string, signal: AbortSignal): Promise<WeatherFile>;
  /** A series at a place from now on, and the forecasts that it comes from. */
  series(request: SpotRequestLine, signal: AbortSignal): Promise<Series>;
}

export interface WeatherFile {
  name: string;
  content: Uint8Array;
  contents: readonly FileContents[];
  /** Words of the parameters that are not in it. */
  missing: readonly string[];
  /** Whether it has a coarser grid or fewer times than the request. */
  isThinned: boolean;
}

export interface Series {
  rows: readonly SpotRow[];
  runs: readonly string[];
  isSynthetic: boolean;
}

export interface AnswerDeps {
  weather: MailWeather;
  /** The owner whose turn the computation of files takes. */
  owner: string;
  /** Largest e-mail that the service sends, bytes, headers included. */
  maxBytes: number;
  /** Called with failures that are not the fault of the sender. */
  onError(error: unknown): void;
}

export type Answer = Pick<Mail, "text" | "attachments">;

interface Part {
  lines: readonly string[];
  attachment?: Attachment;
  isSynthetic?: boolean;
}

/** Octets of the headers of an answer at most, of those of an attachment, and of the lines about a file or an error. */
const HEADER_OCTETS = 1_800;
const ATTACHMENT_OCTETS = 500;
const LINES_OCTETS = 700;

/** Longest error, characters. The service may have many models of which one can choose. */
const MAX_ERROR = 400;

/** Base64 has lines of 76 characters and a line end for 57 bytes. */
const BASE64_LINE = { bytes: 57, octets: 78 };

/** Smallest size to which an answer can be limited, bytes: five errors fit into it. */
const MIN_LIMIT = 6_000;

/** The reply where something fails that is not the fault of the sender. */
export const LATER = "The service cannot answer this at the moment. Please ask again later.";

const CLOSING = "Not for navigation.";
const SYNTHETIC = "These numbers are invented demo data, not a forecast.";

/**
 * Answers the text of an e-mail. Everything that is wrong with it is a line of the answer.
 *
 * @param text undefined for an e-mail without plain text.
 * @throws The signal's reason.
 */
export async function answerText(
  text: string | undefined,
  { weather, owner, maxBytes, onError }: AnswerDeps,
  signal: AbortSignal,
): Promise<Answer> {
  if (text === undefined) return { text: line(`The e-mail has no plain text. ${howTo}`) };
  const asked = readMailRequests(text);
  if (asked.requests.length === 0) return { text: line(`There is no request in the e-mail. ${howTo}`) };
  if (asked.maxBytes !== undefined && asked.maxBytes < MIN_LIMIT)
    return { text: line(`An answer cannot be that small: write max ${MIN_LIMIT / 1000}k or more.`) };
  const size = Math.min(asked.maxBytes ?? maxBytes, maxBytes);
  const limit = size === asked.maxBytes ? `max ${size / 1000}k` : `${size / 1000} kB, the most that is sent`;
  let left = size - HEADER_OCTETS - octetsOf([CLOSING, SYNTHETIC]);
  const parts: Part[] = [];
  for (const [at, request] of asked.requests.entries()) {
    const share = Math.floor(left / (asked.requests.length - at));
    const part = await partOf(request, share);
    parts.push(part);
    left -= octetsOfPart(part);
  }
  const isSynthetic = parts.some((part) => part.isSynthetic);
  const lines = parts.flatMap((part) => [...part.lines, ""]);
  return {
    text: [...lines, ...(isSynthetic ? [SYNTHETIC] : []), CLOSING, ""].join("\n"),
    attachments: parts.flatMap(({ attachment }) => attachment ?? []).map(numbered),
  };

  async function partOf(request: MailRequest, octets: number): Promise<Part> {
    try {
      if (request.kind === "problem") return { lines: [request.text] };
      return request.kind === "file" ? await filePart(request, octets) : await spotPart(request, octets);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProcessingError) return { lines: [error.message.slice(0, MAX_ERROR)] };
      if (!(error instanceof UnavailableError)) onError(error);
      return { lines: [LATER] };
    }
  }

  async function filePart({ request }: FileRequestLine, octets: number): Promise<Part> {
    const lines = Math.floor((octets - ATTACHMENT_OCTETS - LINES_OCTETS) / BASE64_LINE.octets);
    const bytes = Math.max(1, lines * BASE64_LINE.bytes);
    const file = await weather.file(request, bytes, owner, signal);
    const { name, content, contents, isThinned } = file;
    return {
      lines: fileText(request, file, isThinned ? limit : undefined),
      attachment: { filename: name, type: formatNames.grib2, content },
      isSynthetic: contents.some((each) => each.isSynthetic),
    };
  }

  async function spotPart(request: SpotRequestLine, octets: number): Promise<Part> {
    const { rows, runs, isSynthetic } = await weather.series(request, signal);
    const lines = spotText(request, rows, runs, octets, limit);
    if (lines === undefined) throw new ProcessingError(`Not one row of the spot fits ${limit}.`);
    if (lines.length === 0) throw new ProcessingError("There is no forecast at this position.");
    return { lines, isSynthetic };
  }
}

/** The reply to the first message beyond the answers that a sender has within 24 hours. */
export function boundText(perDay: number): string {
  return line(
    `You have had ${perDay} answers in 24 hours, the most that are sent. Please write again tomorrow.`,
  );
}

/** Gives further files names of their own, since files that are made together have the same one. */
function numbered(attachment: Attachment, at: number): Attachment {
  if (at === 0) return attachment;
  return { ...attachment, filename: attachment.filename.replace(/(?=\.\w+$)/, `_${at + 1}`) };
}

function octetsOfPart({ lines, attachment }: Part): number {
  const text = octetsOf(lines) + 2;
  if (!attachment) return text;
  const { bytes, octets } = BASE64_LINE;
  return text + ATTACHMENT_OCTETS + octets * Math.ceil(attachment.content.length / bytes);
}

const line = (text: string) => `${text}\n`;
