import { readFile } from "node:fs/promises";
import type { FetchedPart } from "#server/ingest/feeds/fetch-part.ts";
import type { FieldFeed, Part, PartObjects } from "#server/ingest/feeds/field-feed.ts";
import { gfs } from "#server/ingest/publishers/gfs/publisher.ts";
import { digest } from "./fetching.ts";
import { gribMessage, gribObject, type IndexedMessage, messageCycle, messageLead } from "./grib-objects.ts";
import { type ObjectServer, stored } from "./object-server.ts";
import { seeded } from "./seeded.ts";

/** A step of a feed on two mirrors, and the expected file of its wanted messages. */
export interface StoredStep {
  feed: FieldFeed;
  part: Part;
  /** The whole object and its index. */
  bytes: Buffer;
  index: string;
  /** Digest of the wanted messages, one after another. */
  wanted: string;
  /** The same digest without the messages that have a named field, such as "GUST (surface, instant)". */
  wantedWithout(lacking: readonly string[]): string;
  wantedBytes: number;
  /** Puts object and index on the mirrors. */
  store(server: ObjectServer, mirrors?: readonly ("data.example" | "second.example")[]): void;
}

/**
 * A step of six wanted messages in three ranges: neighbours, a small gap, large gaps, two fields in one message, and a
 * last one without an end. @param seed Selects the octets; all odd seeds have messages of the same lengths.
 */
export function storedStep(seed = 1, date?: string): StoredStep {
  const messages = messagesOf(seed);
  const { bytes, index } = gribObject(messages, date);
  const wanted = [1, 2, 4, 6, 8].map((at) => messages[at]!);
  const chosen = Buffer.concat(wanted.map(({ bytes }) => bytes));
  const step: StoredStep = {
    feed: feedOf({
      kind: "messages",
      object: "step",
      index: { object: "step.idx", form: "wgrib2" },
      wanted: [
        { element: "UGRD", level: "10 m above ground", time: "instant" },
        { element: "VGRD", level: "10 m above ground", time: "instant" },
        { element: "GUST", level: "surface", time: "instant" },
        { element: "PRATE", level: "surface", time: "instant" },
        { element: "TMP", level: "2 m above ground", time: "instant" },
        { element: "PRMSL", level: "mean sea level", time: "instant" },
        { element: "CAPE", level: "surface", time: "instant", optional: true },
      ],
    }),
    part: { cycle: messageCycle, index: 2, times: [messageCycle + messageLead * 3600] },
    bytes,
    index,
    wanted: digest(chosen),
    wantedWithout(lacking) {
      const elements = lacking.map((words) => words.slice(0, words.indexOf(" (")));
      const isThere = ({ fields }: IndexedMessage) =>
        !fields.some((field) => elements.includes(field.slice(0, field.indexOf(":"))));
      return digest(Buffer.concat(wanted.filter(isThere).map(({ bytes }) => bytes)));
    },
    wantedBytes: chosen.length,
    store(server, mirrors = ["data.example", "second.example"]) {
      for (const mirror of mirrors) {
        server.objects.set(`/${mirror}/store/step`, stored(step.bytes));
        server.objects.set(`/${mirror}/store/step.idx`, stored(step.index));
      }
    },
  };
  return step;
}

const made = new Map<number, IndexedMessage[]>();

function messagesOf(seed: number): IndexedMessage[] {
  const messages = made.get(seed) ?? makeMessages(seed);
  made.set(seed, messages);
  return messages;
}

function makeMessages(seed: number): IndexedMessage[] {
  const random = seeded(seed);
  const data = (length: number) => {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; at++) bytes[at] = random() * 256;
    return bytes;
  };
  const message = (length: number, ...fields: string[]): IndexedMessage => ({
    bytes: gribMessage(...fields.map(() => data(length))),
    fields,
  });
  return [
    message(30_000, "HGT:500 mb:6 hour fcst:"),
    message(
      60_000 + (seed % 2),
      "UGRD:10 m above ground:6 hour fcst:",
      "VGRD:10 m above ground:6 hour fcst:",
    ),
    message(50_000, "GUST:surface:6 hour fcst:"),
    message(300_000, "HGT:700 mb:6 hour fcst:"),
    message(40_000, "PRATE:surface:6 hour fcst:"),
    message(20_000, "PRATE:surface:0-6 hour ave fcst:"),
    message(150_000, "TMP:2 m above ground:6 hour fcst:"),
    message(280_000, "HGT:850 mb:6 hour fcst:"),
    message(30_000, "PRMSL:mean sea level:6 hour fcst:"),
  ];
}

/** A feed of one part, whose objects are the same on both mirrors. */
export function feedOf(objects: PartObjects): FieldFeed {
  return {
    name: "example",
    title: () => "",
    credit: "",
    source: gfs.source,
    cycles: { every: 21_600, offset: 0 },
    delay: { first: 0, whole: 0 },
    mirrors: [
      { name: "First", base: "https://data.example/store" },
      { name: "Second", base: "https://second.example/store" },
    ],
    parts: () => [],
    objects: () => objects,
    partBytes: () => 0,
  };
}

export async function digestOf(fetched: FetchedPart | "absent"): Promise<string> {
  return fetched === "absent" ? "absent" : digest(await readFile(fetched.file));
}
