import {
  formatNames,
  mapMediaTypes,
  passageMediaTypes,
  pointMediaTypes,
  workabilityMediaTypes,
} from "#lib/contract/media-types.ts";
import type { TaskKind } from "#lib/contract/task.ts";

type MediaType = (typeof pointMediaTypes | typeof mapMediaTypes | typeof passageMediaTypes)[number];

/** File extensions of converted results by media type, which are the names of the formats in `?f=`. */
const { json: _stored, ...converted } = formatNames;
const extensions = Object.fromEntries(Object.entries(converted).map(([name, type]) => [type, name]));

const EXTENSION = new RegExp(`\\.(?:${Object.values(extensions).join("|")})$`);

const mediaTypes: Readonly<Record<TaskKind, readonly MediaType[]>> = {
  MetOcean: pointMediaTypes,
  "2DMetOcean": mapMediaTypes,
  files: mapMediaTypes,
  "passages/evaluate": passageMediaTypes,
  "passages/optimise": passageMediaTypes,
  workability: workabilityMediaTypes,
};

/** Media types of a stored envelope, the stored one first. */
export function typesOfResult(kind: TaskKind): readonly ["application/json", ...MediaType[]] {
  return ["application/json", ...mediaTypes[kind]];
}

const OF_TASK = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\./;

/**
 * Whether a blob has the name of a task's or answer's blob. A store may contain other objects, which are neither
 * counted nor deleted.
 */
export function isOfTask(file: string): boolean {
  return OF_TASK.test(file);
}

/** The id of the task or stored answer of a blob. @param file See `isOfTask`. */
export function idOf(file: string): string {
  return file.slice(0, file.indexOf("."));
}

/** Key of a stored envelope in another format. It lies beside the envelope and is deleted with it. */
export function convertedFile(file: string, type: string): string {
  return `${file}.${extensions[type]}`;
}

/** A stored envelope and all blobs that may have been converted from it. */
export function withConverted(file: string): string[] {
  return [file, ...Object.values(extensions).map((extension) => `${file}.${extension}`)];
}

/** The stored envelope from which a blob was converted; the blob itself if it was not converted. */
export function sourceOf(file: string): string {
  return file.replace(EXTENSION, "");
}
