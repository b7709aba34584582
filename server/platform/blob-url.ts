import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** Place of a blob store. */
export type BlobPlace = { kind: "folder"; folder: string } | ({ kind: "s3" } & S3Place);

export interface S3Place {
  bucket: string;
  /** Empty, or names that each end with `/`. */
  prefix: string;
  /** Default: us-east-1, which most stores other than Amazon's accept. */
  region?: string;
  /** Whether the bucket is named in the path instead of the host, which stores other than Amazon's expect. */
  isPathStyle?: boolean;
}

/** Place of an archive that is read over a network. */
export type RemotePlace = ({ kind: "s3" } & S3Place) | { kind: "https"; url: string };

export type ArchivePlace = Extract<BlobPlace, { kind: "folder" }> | RemotePlace;

/** Names of buckets as Amazon allows them. Other stores allow no more. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[\w.-]+\/)*$/;

/** A place as a setting. */
export const blobUrl = z.string().transform((text, context): BlobPlace => {
  const place = parseBlobUrl(text);
  if (place) return place;
  context.addIssue({ code: "custom", message: "s3://bucket/prefix, or file:///folder" });
  return z.NEVER;
});

/** Accepts what `blobUrl` accepts, or a web server, which is only read. */
export const archiveUrl = z.string().transform((text, context): ArchivePlace => {
  const place = parseBlobUrl(text) ?? parseWebUrl(text);
  if (place) return place;
  context.addIssue({ code: "custom", message: "file:///folder, s3://bucket/prefix, or https://host/path" });
  return z.NEVER;
});

export function folderPlace(folder: string): BlobPlace {
  return { kind: "folder", folder };
}

/** @returns undefined if the text has neither form. */
function parseBlobUrl(text: string): BlobPlace | undefined {
  // Parsing would remove `.` and `..`.
  if (!URL.canParse(text) || /\/\.{1,2}(\/|$)/.test(text)) return undefined;
  const { protocol, hostname, pathname, search, hash, port, username, password } = new URL(text);
  if (search || hash || port || username || password) return undefined;
  if (protocol === "file:") {
    const folder = folderOf(text);
    return folder === undefined ? undefined : { kind: "folder", folder };
  }
  if (protocol !== "s3:" || !BUCKET.test(hostname)) return undefined;
  const prefix = `${pathname.replace(/^\/|\/$/g, "")}/`.replace(/^\/$/, "");
  return PREFIX.test(prefix) ? { kind: "s3", bucket: hostname, prefix } : undefined;
}

function parseWebUrl(text: string): RemotePlace | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, search, hash, username, password, origin, pathname } = new URL(text);
  if (!/^https?:$/.test(protocol) || search || hash || username || password) return undefined;
  return { kind: "https", url: (origin + pathname).replace(/\/+$/, "") };
}

/**
 * @returns undefined for the root and for texts that no path can have. Parsing would turn `file:folder` into `/folder`.
 */
function folderOf(text: string): string | undefined {
  if (!/^file:\/\/\//i.test(text)) return undefined;
  try {
    const folder = path.resolve(fileURLToPath(text));
    return folder === path.parse(folder).root || folder.includes("\0") ? undefined : folder;
  } catch {
    // The path has an escaped slash, or escapes that are not UTF-8.
    return undefined;
  }
}

/** A bucket with the region and the kind of endpoint of Amazon's variables. The client itself reads endpoint and credentials. */
export function withAwsVariables<P extends BlobPlace | ArchivePlace>(
  place: P,
  variables: Readonly<Record<string, string | undefined>>,
): P {
  if (place.kind !== "s3") return place;
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = variables;
  const region = AWS_REGION ?? AWS_DEFAULT_REGION;
  return { ...place, region, isPathStyle: (AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined };
}

/** For messages to the operator. */
export function describePlace(place: BlobPlace | ArchivePlace): string {
  if (place.kind === "https") return place.url;
  return place.kind === "folder" ? place.folder : `s3://${place.bucket}/${place.prefix}`.replace(/\/$/, "");
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The archive of a process, by its settings. @param variables With what Amazon's say of buckets. */
export function archivePlaces(
  read: { DATA_DIR: string; ARCHIVE_URL?: ArchivePlace; ARCHIVE_CACHE_MB: number; MIN_FREE_MB: number },
  variables: Variables,
) {
  const own = path.resolve(read.DATA_DIR, "archive");
  const place = read.ARCHIVE_URL ?? folderPlace(own);
  return {
    /** Folder of the archive that this machine writes. Default: in `dataDir`. */
    archiveDir: place.kind === "folder" ? place.folder : own,
    /** The archive that answers: that folder, or one behind a network, of which parts are cached in `dataDir`. */
    archive: {
      place: withAwsVariables<ArchivePlace>(place, variables),
      cacheBytes: read.ARCHIVE_CACHE_MB * 2 ** 20,
      minFreeBytes: read.MIN_FREE_MB * 2 ** 20,
    },
  };
}

/** A place of blobs by its URL; undefined where the text is none. */
export function parsedPlace(url: string, variables: Variables): BlobPlace | undefined {
  const { success, data } = blobUrl.safeParse(url);
  return success ? withAwsVariables(data, variables) : undefined;
}
