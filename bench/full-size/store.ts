import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { LRUCache } from "lru-cache";
import { gribMessage, messageLength } from "#test/feeds-mirror/grib-message.ts";
import type { GribField } from "#test/feeds-mirror/grib-object.ts";
import { timeOf } from "#test/feeds-mirror/published.ts";
import { fieldsOf, fileGrid, isWanted, type Kind, messageFile, STATES } from "./messages.ts";

/** Bytes of a message that is not wanted: more than a gap that is fetched too. */
const UNWANTED_BYTES = 600_000;
/** Heights above which real files have other messages before the next wind. */
const LAST_OF_NEIGHBOURS = /^VGRD:(10|50|80|100) m above ground$/;
const NCEP = { code: 7, tablesVersion: 2, localTablesVersion: 1, process: 96 };
const OBJECT =
  /^\/noaa-gfs-bdp-pds\.s3\.amazonaws\.com\/gfs\.(\d{8})\/(\d\d)\/(?:atmos\/gfs|wave\/gridded\/gfswave)\.t\d\dz\.(pgrb2|global)\.0p25\.f(\d{3})(?:\.grib2)?(\.idx)?$/;
interface Placed {
  /** Words of the index line: "UGRD:10 m above ground:7 hour fcst" */
  words: string;
  at: number;
  length: number;
  /** Field of an unwanted message, which has zeros; otherwise undefined. */
  field: GribField | undefined;
}

/**
 * Serves GFS and GFS-Wave under Amazon's object names, with prepared messages of realistic size. Steps run through the
 * states forwards and backwards, so that neighbouring steps have neighbouring states.
 *
 * @param folder Folder of `makeMessages`.
 * @returns The address for FEED_MIRROR.
 */
export async function startStore(folder: string): Promise<string> {
  const files = new LRUCache<string, number>({ max: 512, dispose: (file) => closeSync(file) });
  const placed = new LRUCache<string, { messages: Placed[]; total: number }>({ max: 64 });

  const stateOf = (lead: number) => {
    const round = 2 * (STATES - 1);
    const at = lead % round;
    return at < STATES ? at : round - at;
  };

  function layout(name: string, kind: Kind, cycle: number, lead: number) {
    const known = placed.get(name);
    if (known) return known;
    const messages: Placed[] = [];
    let at = 0;
    const add = (words: string, length: number, field?: GribField) => {
      messages.push({ words, at, length, field });
      at += length;
    };
    for (const field of fieldsOf(kind, cycle, lead)) {
      const { element, level, window } = field;
      const wanted = isWanted(kind, field);
      const { size } = wanted ? statSync(messageFile(folder, kind, field, stateOf(lead))) : { size: 0 };
      const length = wanted ? messageLength(field.validity, size) : UNWANTED_BYTES;
      add(`${element}:${level}:${window}`, length, wanted ? field : undefined);
      const isLast = kind === "atmosphere" && !/^[UV]GRD$/.test(element);
      if (isLast || LAST_OF_NEIGHBOURS.test(`${element}:${level}`))
        add(`HGT:${messages.length} mb:${window}`, UNWANTED_BYTES);
    }
    const found = { messages, total: at };
    placed.set(name, found);
    return found;
  }

  function bytesOf(kind: Kind, lead: number, { field, length }: Placed, from: number, to: number): Buffer {
    if (!field) return Buffer.alloc(to - from);
    const head = gribMessage(NCEP, fileGrid, field.parameter, field.validity, []).subarray(0, -4);
    Buffer.from(head.buffer, head.byteOffset).writeBigUInt64BE(BigInt(length), 8);
    const whole = Buffer.alloc(to - from);
    const put = (bytes: Uint8Array, at: number) => {
      const [start, end] = [Math.max(from, at), Math.min(to, at + bytes.length)];
      if (start < end) whole.set(bytes.subarray(start - at, end - at), start - from);
    };
    put(head, 0);
    put(Buffer.from("7777"), length - 4);
    const [start, end] = [Math.max(from, head.length), Math.min(to, length - 4)];
    if (start < end) {
      const path = messageFile(folder, kind, field, stateOf(lead));
      const file = files.get(path) ?? openSync(path, "r");
      files.set(path, file);
      readSync(file, whole, start - from, end - start, start - head.length);
    }
    return whole;
  }

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const name = request.url!;
    const [, day, hour, type, digits, index] = OBJECT.exec(name) ?? [];
    if (day === undefined) return void response.writeHead(404).end();
    const kind = type === "global" ? "waves" : "atmosphere";
    const [cycle, lead] = [timeOf(day, hour), Number(digits)];
    const object = name.replace(/\.idx$/, "");
    const { messages, total } = layout(object, kind, cycle, lead);
    const etag = `"${createHash("md5").update(name).digest("hex")}"`;
    response.setHeader("etag", etag);
    if (request.headers["if-none-match"] === etag) return void response.writeHead(304).end();
    if (index !== undefined) {
      const date = `${day}${hour}`;
      const text = messages.map(({ words, at }, i) => `${i + 1}:${at}:d=${date}:${words}:\n`).join("");
      response.writeHead(200, { "content-length": text.length }).write(text);
    } else {
      const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
      const [from, to] = [Number(range?.[1] ?? 0), range?.[2] ? Number(range[2]) + 1 : total];
      response.writeHead(range ? 206 : 200, {
        "content-length": to - from,
        ...(range && { "content-range": `bytes ${from}-${to - 1}/${total}` }),
      });
      for (const message of messages) {
        const [start, end] = [Math.max(from, message.at), Math.min(to, message.at + message.length)];
        if (start >= end || response.destroyed) continue;
        const bytes = bytesOf(kind, lead, message, start - message.at, end - message.at);
        if (!response.write(bytes)) await Promise.race([once(response, "drain"), once(response, "close")]);
      }
    }
    response.end();
  }

  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
