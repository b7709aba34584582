import path from "node:path";
import { startChildServer } from "#bench/child-process.ts";
import type { Sent } from "#bench/full-size/store.ts";
import { bufferSource } from "#server/ingest/byte-source.ts";
import { decodeGrib2 } from "#server/ingest/grib2/decode.ts";
import { readWgrib2Index } from "#server/ingest/grib2/index-readers.ts";
import { scanGrib2 } from "#server/ingest/grib2/scan.ts";

/** GFS in its real sizes, from a process of its own. @param rate MB a second, over all connections. */
export async function startFeedStore(rate: number, root: string) {
  const script = path.join(root, "bench/feed-store-process.ts");
  const { child, url } = await startChildServer([script, "--rate", String(rate)]);
  const get = async (name: string) => Buffer.from(await (await fetch(`${url}${name}`)).arrayBuffer());

  /** A message that the store has, (rows, columns) from south to north, in the unit of the file. */
  async function message(object: string, words: string): Promise<Float32Array> {
    const index = readWgrib2Index((await get(`${object}.idx`)).toString());
    const { offset, length } = index.find(({ element, level }) => `${element}:${level}` === words)!;
    const range = `bytes=${offset}-${offset + length! - 1}`;
    const reply = await fetch(`${url}${object}`, { headers: { range } });
    const source = bufferSource(words, Buffer.from(await reply.arrayBuffer()));
    return decodeGrib2(source, scanGrib2(source).fields[0]!);
  }

  return {
    url,
    requests: async () => JSON.parse((await get("/requests")).toString()) as Sent[],
    /** Ends what is being sent. @returns All requests, with what arrived at the other end of each. */
    cut: async () => JSON.parse((await get("/cut")).toString()) as Sent[],
    message,
    close: () => child.kill(),
  };
}

/** Bytes of all requests, and those that had been sent before. */
export function countTwice(requests: readonly Sent[]): { fetched: number; twice: number } {
  const known = new Map<string, [from: number, to: number][]>();
  let [fetched, twice] = [0, 0];
  for (const { object, from, sent } of requests) {
    const to = from + sent;
    fetched += sent;
    let fresh = [[from, to] as [number, number]];
    for (const [start, end] of known.get(object) ?? [])
      fresh = fresh.flatMap(([a, b]) =>
        (
          [
            [a, Math.min(b, start)],
            [Math.max(a, end), b],
          ] as [number, number][]
        ).filter(([x, y]) => x < y),
      );
    twice += sent - fresh.reduce((sum, [a, b]) => sum + b - a, 0);
    known.set(object, [...(known.get(object) ?? []), ...fresh]);
  }
  return { fetched, twice };
}
