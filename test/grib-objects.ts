import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bufferSource } from "@open-metocean/grib2/byte-source";
import { scanGrib2 } from "@open-metocean/grib2/scan";

/** Base time of the messages and their lead in hours, which are those of the fixture from which they are made. */
export const messageCycle = 1_709_164_800;
export const messageLead = 6;

const fixture = join(import.meta.dirname, "../lib/grib2/fixtures/templates.grib2");

/** Sections one to six of the first message of the fixture. */
function templateSections(): Buffer[] {
  const bytes = readFileSync(fixture);
  const { length } = scanGrib2(bufferSource(fixture, bytes)).fields[0]!;
  const sections: Buffer[] = [];
  for (let at = 16; at < length - 4; ) {
    const end = at + bytes.readUInt32BE(at);
    sections.push(bytes.subarray(at, end));
    at = end;
  }
  return sections.filter((section) => section[4]! < 7);
}

/**
 * A GRIB2 message whose values are arbitrary octets. It is sound to everything but a decoder.
 *
 * @param data Octets of each field's values.
 */
export function gribMessage(...data: Uint8Array[]): Buffer {
  const sections = templateSections();
  const once = sections.filter((section) => section[4]! < 4);
  const repeated = sections.filter((section) => section[4]! >= 4);
  const fields = data.flatMap((values) => {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(values.length + 5);
    head[4] = 7;
    return [...repeated, head, Buffer.from(values)];
  });
  const body = Buffer.concat([...once, ...fields, Buffer.from("7777")]);
  const indicator = Buffer.from("GRIB\0\0\0\u0002");
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(body.length + 16));
  return Buffer.concat([indicator, length, body]);
}

/** The same message with another parameter of its discipline, of the same length. */
export function ofParameter(message: Buffer, category: number, number: number): Buffer {
  const copy = Buffer.from(message);
  for (let at = 16; at < copy.length - 4; at += copy.readUInt32BE(at)) {
    if (copy[at + 4] === 4) copy.set([category, number], at + 9);
  }
  return copy;
}

/** A message, and the index text of each of its fields: "UGRD:10 m above ground:6 hour fcst:". */
export interface IndexedMessage {
  bytes: Buffer;
  fields: readonly string[];
}

/** An object and its wgrib2 index. @param date Date of the index, YYYYMMDDHH. */
export function gribObject(
  messages: readonly IndexedMessage[],
  date = "2024022900",
): { bytes: Buffer; index: string } {
  let offset = 0;
  const lines: string[] = [];
  for (const [index, { bytes, fields }] of messages.entries()) {
    for (const [part, field] of fields.entries()) {
      const number = fields.length === 1 ? `${index + 1}` : `${index + 1}.${part + 1}`;
      lines.push(`${number}:${offset}:d=${date}:${field}\n`);
    }
    offset += bytes.length;
  }
  return { bytes: Buffer.concat(messages.map(({ bytes }) => bytes)), index: lines.join("") };
}
