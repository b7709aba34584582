// Copies the files of the pages into the folder that is served: .next/static as /_next/static, and public. Compressed
// copies are written beside them, so that nothing is compressed per request. The script has no dependencies, because
// `setup.mjs` calls it.

import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const COMPRESSIBLE = /\.(js|mjs|css|svg|json)$/;
/** Smallest file that is compressed, bytes: that of one packet. */
const MIN_BYTES = 1400;
/** Quality 11 saves a tenth over quality 9, a second at 400 kbit/s, for eight seconds of a build. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

/**
 * Scripts of at least this many bytes are compiled eagerly, in another thread while they arrive. When the map's
 * functions were compiled one by one on their first call, the page was delayed by a fifth of a second.
 */
const EAGER_MIN_BYTES = 5e5;
/** A hint for Chromium at the start of a file, which is a comment for other browsers. */
const EAGER = "//# allFunctionsCalledOnLoad\n";

/** @param {string} root Root folder of the project. */
export function copyServedFiles(root) {
  const served = path.join(root, ".next", "served");
  // The folder is replaced as a whole, so that a start after an interrupted build does not serve a part of the files.
  const part = `${served}.part`;
  rmSync(part, { recursive: true, force: true });
  // Built files are named by their content and can be linked. Files of public may be overwritten in place, so they are
  // copied.
  copy(path.join(root, ".next", "static"), path.join(part, "_next", "static"), link);
  copy(path.join(root, "public"), part, copyFileSync);
  fillServiceWorker(part, root);
  rmSync(served, { recursive: true, force: true });
  renameSync(part, served);
}

/** Files of MapLibre that the bundler copies beside its worker and that no page loads. */
const UNLOADED = /^maplibre-gl(?!-worker\.)/;

function copy(from, to, put) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (UNLOADED.test(entry.name)) continue;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copy(source, target, put);
    else if (entry.isFile()) place(source, target, put);
  }
}

/**
 * Files that the service worker may cache: scripts, styles, fonts, map data and icons, but no pictures of documents.
 */
const KEPT = /^\/(?:_next\/static\/.*\.(?:js|mjs|css|woff2|json)|basemap\/.*\.json|icon.*)$/;
/** Fonts of scripts in which no page is written. */
const UNUSED = /\/inter-(?!latin-wght-normal)/;

/** Words of the offline page by language. Other pages get theirs from modules. */
function offlineWords() {
  const folder = path.join(import.meta.dirname, "..", "lib", "messages");
  const catalogs = readdirSync(folder).filter((name) => /^[a-z]{2}\.json$/.test(name));
  return Object.fromEntries(
    catalogs.map((name) => {
      const { access, screen, ui } = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
      return [
        path.basename(name, ".json"),
        { offline: access.faults.unreachable, map: screen.pages.map, again: ui.tryAgain },
      ];
    }),
  );
}

/** Writes the build id and its files into the service worker, so that each build has another worker. */
function fillServiceWorker(served, root) {
  const file = path.join(served, "sw.js");
  if (!existsSync(file)) return;
  const names = readdirSync(served, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      ({ parentPath, name }) =>
        `/${path.relative(served, path.join(parentPath, name)).split(path.sep).join("/")}`,
    )
    .filter((name) => KEPT.test(name) && !UNUSED.test(name));
  const filled = readFileSync(file, "utf8")
    .replace("%BUILD%", readFileSync(path.join(root, ".next", "BUILD_ID"), "utf8").trim())
    .replace("new Set([])", `new Set(${JSON.stringify(names.sort())})`)
    .replace("OFFLINE = {}", `OFFLINE = ${JSON.stringify(offlineWords())}`);
  for (const form of ["", ".br", ".gz"]) rmSync(file + form, { force: true });
  writeFileSync(file, filled);
  compress(file);
}

function place(source, target, put) {
  const { size } = statSync(source);
  if (size >= EAGER_MIN_BYTES && /\.m?js$/.test(source))
    writeFileSync(target, EAGER + readFileSync(source, "utf8"));
  else put(source, target);
  compress(target);
}

function compress(target) {
  if (!COMPRESSIBLE.test(target) || statSync(target).size < MIN_BYTES) return;
  const content = readFileSync(target);
  writeFileSync(`${target}.br`, brotliCompressSync(content, BROTLI));
  writeFileSync(`${target}.gz`, gzipSync(content, { level: 9 }));
}

function link(source, target) {
  try {
    linkSync(source, target);
  } catch {
    // Some file systems do not support links.
    copyFileSync(source, target);
  }
}
