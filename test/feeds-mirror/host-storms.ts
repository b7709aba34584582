import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newestBase } from "#server/demo/storms/fixes.ts";
import { samplesDir } from "#test/samples.ts";
import { type Host, type MirrorRequest, type Published, textPiece, type Variant } from "./published.ts";
import { type StormTexts, stormTexts } from "./storm-texts.ts";

const DAY_S = 86_400;

const types: Readonly<Record<string, string>> = {
  json: "application/json",
  xml: "application/xml",
  rss: "application/rss+xml",
  kml: "application/vnd.google-earth.kml+xml",
  gz: "application/gzip",
};

const madeAt = new Map<number, StormTexts>();

/** Texts of a base time; those of the newest days are cached. */
function textsAt(now: number): StormTexts {
  const base = newestBase(now);
  const found = madeAt.get(base) ?? stormTexts(base, now);
  madeAt.set(base, found);
  if (madeAt.size > 24) madeAt.delete(Math.min(...madeAt.keys()));
  return found;
}

/** A host of storm texts, by its name. A path that ends with a slash is a list of the files in it. */
export function stormHost(name: string): Host {
  return (request) => {
    const base = newestBase(request.now);
    const content = (now: number) => contentOf(name, request.path, now);
    if (content(request.now) === undefined) return undefined;
    return {
      from: base,
      version: String(base),
      contentType:
        types[/\.(\w+)$/.exec(request.path)?.[1] ?? ""] ??
        (request.path.endsWith("/") ? "text/html" : "text/plain"),
      pieces: ({ hoursEarlier, whole, revision }: Variant) => {
        const found = content(request.now - hoursEarlier * 3600) ?? "";
        if (typeof found === "string") return [textPiece(revision === 0 ? found : `${found}\n`, whole)];
        return [{ length: () => found.length, bytes: () => found }];
      },
    };
  };
}

function contentOf(name: string, path: string, now: number): string | Uint8Array | undefined {
  const files = textsAt(now).get(name);
  if (!path.endsWith("/")) return files?.get(path);
  const names = [...(files?.keys() ?? [])]
    .filter((file) => file.startsWith(path) && !file.slice(path.length).includes("/"))
    .map((file) => file.slice(path.length));
  if (names.length === 0) return undefined;
  const date = new Date(newestBase(now) * 1000).toISOString().slice(0, 16).replace("T", " ");
  const rows = names.map((file) => `<a href="${file}">${file}</a>   ${date}  1K`);
  return `<html><head><title>Index of ${path}</title></head><body><pre>\n${rows.join("\n")}\n</pre></body></html>\n`;
}

const TELEGRAMS = "/developer/xml/data/";

/** JMA's Atom feeds, with the real sample telegrams where they exist. They are third-party data and not committed. */
export const jmaXmlHost: Host = ({ path, now }: MirrorRequest): Published | undefined => {
  const folder = samplesDir === undefined ? undefined : join(samplesDir, "jma/xml");
  const names = folder !== undefined && existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const from = Math.floor(now / DAY_S) * DAY_S;
  if (path === "/developer/xml/feed/extra.xml" || path === "/developer/xml/feed/extra_l.xml") {
    const stamp = new Date(from * 1000).toISOString();
    const entries = names.map((name) => {
      const link = `https://www.data.jma.go.jp${TELEGRAMS}${name}`;
      return `<entry><title>台風解析・予報情報</title><id>${link}</id><updated>${stamp}</updated><link type="application/xml" href="${link}"/></entry>`;
    });
    const text = `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" lang="ja"><title>高頻度（随時）</title><updated>${stamp}</updated>${entries.join("")}</feed>\n`;
    return { from, contentType: "application/xml", pieces: ({ whole }) => [textPiece(text, whole)] };
  }
  const name = path.startsWith(TELEGRAMS) ? path.slice(TELEGRAMS.length) : "";
  if (folder === undefined || !names.includes(name)) return undefined;
  const text = readFileSync(join(folder, name), "utf8");
  return { from, contentType: "application/xml", pieces: ({ whole }) => [textPiece(text, whole)] };
};
