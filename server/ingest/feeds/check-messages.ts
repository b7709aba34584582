import { formatInstant } from "#lib/time.ts";
import { fileSource } from "#server/ingest/byte-source.ts";
import { scanGrib2 } from "#server/ingest/grib2/scan.ts";
import { matchesField } from "#server/ingest/sources/source.ts";
import type { PartialFile } from "#server/platform/fetching/partial-file.ts";
import type { Part, WantedMessage } from "./field-feed.ts";

/** What was fetched is not what the index says, or of another time. */
export class UnsuitableDataError extends Error {
  override readonly name = "UnsuitableDataError";
}

/** A message in the fetched file. */
export interface PlacedMessage {
  at: number;
  length: number;
  /** Fields that the index lists in it. */
  fields: number;
  wanted: readonly WantedMessage[];
}

const HEAD = 16;

/**
 * Whether a message is framed as its index says: "GRIB", edition 2, its length, "7777".
 *
 * @returns What is wrong; undefined for a sound message.
 */
export async function framingFault(
  file: PartialFile,
  { at, length }: Pick<PlacedMessage, "at" | "length">,
): Promise<string | undefined> {
  const head = Buffer.from(await file.read(at, HEAD));
  if (head.length < HEAD || head.toString("latin1", 0, 4) !== "GRIB" || head[7] !== 2)
    return "it does not begin as a GRIB2 message";
  const stated = Number(head.readBigUInt64BE(8));
  if (stated !== length) return `it is ${stated} octets long, ${length} by the index`;
  const end = Buffer.from(await file.read(at + length - 4, 4)).toString("latin1");
  return end === "7777" ? undefined : "it does not end with 7777";
}

/**
 * Checks a file of messages: each has the wanted fields, as many in all as its index lists, and all are of the part's cycle
 * and time.
 *
 * A field that is sound but of a kind that is not decoded passes: that is for the ingest to say.
 *
 * @throws UnsuitableDataError
 */
export function checkFields(path: string, messages: readonly PlacedMessage[], { cycle, times }: Part): void {
  using source = fileSource(path);
  const { fields, rejected } = scanGrib2(source);
  const damaged = rejected.find(({ parameter }) => parameter === undefined);
  if (damaged) throw new UnsuitableDataError(`message ${damaged.message} is damaged: ${damaged.reason}`);
  for (const [index, { fields: listed, wanted }] of messages.entries()) {
    const isOfMessage = ({ message }: { message: number }) => message === index + 1;
    const readable = fields.filter(isOfMessage);
    const found = readable.length + rejected.filter(isOfMessage).length;
    if (found !== listed)
      throw new UnsuitableDataError(`message ${index + 1} has ${found} fields, ${listed} by the index`);
    const other = wanted.find(
      ({ selectors }) =>
        selectors && !readable.some((field) => selectors.some((selector) => matchesField(selector, field))),
    );
    if (other && found === readable.length)
      throw new UnsuitableDataError(
        `message ${index + 1} is not ${other.element} (${other.level}), as the index says`,
      );
  }
  const stale = fields.find((field) => field.referenceTime !== cycle);
  if (stale)
    throw new UnsuitableDataError(
      `it is of the cycle ${formatInstant(stale.referenceTime)}, not ${formatInstant(cycle)}`,
    );
  const other = fields.find((field) => !times.includes(field.time.end));
  if (other) throw new UnsuitableDataError(`it is valid at ${formatInstant(other.time.end)}`);
}
