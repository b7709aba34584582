import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** Where blobs lie. */
export type BlobPlace =
  | { kind: "folder"; folder: string }
  /** @param prefix Empty, or names that each end with `/`. */
  | { kind: "s3"; bucket: string; prefix: string };

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

export function folderPlace(folder: string): BlobPlace {
  return { kind: "folder", folder };
}

/** @returns undefined where it has neither form. */
function parseBlobUrl(text: string): BlobPlace | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, pathname, search, hash, port, username } = new URL(text);
  if (search || hash || port || username) return undefined;
  if (protocol === "file:" && hostname === "")
    return { kind: "folder", folder: path.resolve(fileURLToPath(text)) };
  if (protocol !== "s3:" || !BUCKET.test(hostname)) return undefined;
  const prefix = `${pathname.replace(/^\/|\/$/g, "")}/`.replace(/^\/$/, "");
  return PREFIX.test(prefix) && !/(^|\/)\.{1,2}\//.test(prefix)
    ? { kind: "s3", bucket: hostname, prefix }
    : undefined;
}

/** For messages to the operator. */
export function describePlace(place: BlobPlace): string {
  return place.kind === "folder" ? place.folder : `s3://${place.bucket}/${place.prefix}`.replace(/\/$/, "");
}
