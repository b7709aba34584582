import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import {
  endOf,
  type FieldFeed,
  fill,
  type Mirror,
  type Part,
  type PartObjects,
  placeholders,
  type WantedMessage,
  withEnd,
} from "#server/ingest/feeds/field-feed.ts";
import { readShortFile, WrongFileError, yamlFiles } from "#server/platform/yaml-file.ts";

const template = z
  .string()
  .max(500)
  .refine(
    (text) => [...text.matchAll(/\{([^}]*)\}/g)].every(([, name]) => placeholders.includes(name!)),
    `a name with ${placeholders.map((name) => `{${name}}`).join(" ")}`,
  );

const address = z
  .string()
  .max(500)
  .regex(
    /^https?:\/\/[^\s?#@]+[^\s?#@/]$/,
    "https://host/path, without user and password, and without a slash at the end",
  );

/** The present places of a feed's objects, where they differ from those that this version of the program knows. */
const addressesSchema = z.strictObject({
  /** Mirrors, in the order in which they are called. */
  mirrors: z.array(address).min(1).max(10).optional(),
  /** Template of the name of an object, or of a store, as in an operator's own source. */
  files: template.optional(),
  /** Template of the name of its index. */
  index: template.optional(),
  /** UTC day of the last base time, if the publisher ends the product. */
  ended: z.iso.date().optional(),
  /** Names of elements in the index, by the names that this version knows. */
  elements: z.record(z.string(), z.string()).default({}),
});

type Addresses = z.infer<typeof addressesSchema>;

/**
 * The built-in feeds with the addresses and names from files of the same name in `built-in` of DATA_DIR/sources.
 *
 * @throws WrongFileError
 */
export function movedFeeds(sources: string, feeds: readonly FieldFeed[]): FieldFeed[] {
  const folder = path.join(sources, "built-in");
  const files = yamlFiles(folder);
  const byName = new Map(files.map((file) => [path.parse(file).name, path.join(folder, file)]));
  const unknown = [...byName.keys()].find((name) => !feeds.some((feed) => feed.name === name));
  if (unknown !== undefined)
    throw new WrongFileError(
      `${byName.get(unknown)}: there is no feed ${unknown}; there are ${feeds.map(({ name }) => name).join(", ")}`,
    );
  return feeds.map((feed) => {
    const file = byName.get(feed.name);
    return file === undefined ? feed : moved(feed, readAddresses(file));
  });
}

function readAddresses(file: string): Addresses {
  try {
    return addressesSchema.parse(parse(readShortFile(file), { maxAliasCount: 0 }));
  } catch (error) {
    if (error instanceof WrongFileError) throw error;
    const words = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new WrongFileError(`${file}: ${words}`, { cause: error });
  }
}

function moved(feed: FieldFeed, { mirrors, files, index, elements, ended }: Addresses): FieldFeed {
  const known = (base: string): Mirror => ({
    ...feed.mirrors.find((mirror) => mirror.base === base && !mirror.form),
    name: new URL(base).host,
    base,
  });
  const renamed = (message: WantedMessage): WantedMessage => {
    const name = elements[message.element];
    const { alternatives = [], instead } = message;
    return {
      ...message,
      // The index may have either name, because earlier cycles are still there.
      ...(name !== undefined && { alternatives: [name, ...alternatives] }),
      ...(instead && { instead: instead.map((row) => row.map(renamed)) }),
    };
  };
  const movedObjects = (found: PartObjects, part: Part): PartObjects => {
    const name = files === undefined ? undefined : fill(files, part);
    if (found.kind === "zarr") return { ...found, store: name ?? found.store };
    if (found.kind === "all" && files !== undefined) {
      const params =
        found.wanted?.map(({ element }) => element) ?? found.variables?.map(({ param }) => param);
      if (params) return { ...found, objects: params.map((param) => fill(files, part, param)) };
    }
    if (found.kind === "members")
      return {
        ...found,
        objects: found.objects.map((one) => ({ ...one, wanted: one.wanted.map(renamed) })),
      };
    if (found.kind !== "messages") return { ...found, objects: name === undefined ? found.objects : [name] };
    const { form } = found.index;
    const beside = form === "wgrib2" ? `${name}.idx` : name?.replace(/(\.grib2)?$/, ".index");
    const indexed = index === undefined ? beside : fill(index, part);
    return {
      ...found,
      object: name ?? found.object,
      index: { object: (name ?? index) === undefined ? found.index.object : indexed!, form },
      wanted: found.wanted.map(renamed),
    };
  };
  if (feed.ensemble && (files !== undefined || index !== undefined))
    throw new WrongFileError(
      `${feed.name}: a step of an ensemble has several files, so that only its mirrors can be replaced`,
    );
  const { otherNames: _, ...rest } = feed;
  return {
    ...rest,
    ...(ended !== undefined && {
      ended: endOf(ended),
      title: (profile) => withEnd(feed.title(profile), endOf(ended)),
    }),
    // Mirrors of another form have other names, so they stay.
    mirrors: mirrors ? [...mirrors.map(known), ...feed.mirrors.filter(({ form }) => form)] : feed.mirrors,
    // Names that the operator states are the only ones.
    ...(files === undefined &&
      index === undefined &&
      feed.otherNames && {
        otherNames: (part, profile, mirror) =>
          feed.otherNames!(part, profile, mirror).map((other) => movedObjects(other, part)),
      }),
    objects(part, profile, mirror): PartObjects | undefined {
      const found = feed.objects(part, profile, mirror);
      return found && !mirror.form ? movedObjects(found, part) : found;
    },
  };
}
