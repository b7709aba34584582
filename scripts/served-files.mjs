// Lays out what the pages are made of, as it is served: .next/static as /_next/static, and what lies in public, each with
// itself compressed beside it, so that no visitor waits for that again. Without dependencies: `setup.mjs` calls it.

import {
  copyFileSync,
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

const WORTH_IT = /\.(js|mjs|css|svg|json)$/;
/** A packet: less gains nothing. */
const SMALLEST = 1400;
/** The slowest ones take half a minute for a tenth less. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/**
 * Scripts from here on, bytes, are compiled whole as they come, in another thread: that of the map runs at once, and
 * compiling its functions one by one when they are called held the page up for a fifth of a second.
 */
const EAGER_FROM = 1e6;
/** Chromium takes this as a hint when a file begins with it; for others it is a comment. */
const EAGER = "//# allFunctionsCalledOnLoad\n";

/** @param {string} root Of the project. */
export function layOut(root) {
  const served = path.join(root, ".next", "served");
  // All of it or nothing: who starts after an interruption must not take a part for the whole.
  const part = `${served}.part`;
  rmSync(part, { recursive: true, force: true });
  // The names of built files hold their content; the others may be written again in their place.
  copy(path.join(root, ".next", "static"), path.join(part, "_next", "static"), link);
  copy(path.join(root, "public"), part, copyFileSync);
  rmSync(served, { recursive: true, force: true });
  renameSync(part, served);
}

function copy(from, to, put) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copy(source, target, put);
    else if (entry.isFile()) place(source, target, put);
  }
}

function place(source, target, put) {
  const { size } = statSync(source);
  if (size >= EAGER_FROM && source.endsWith(".js"))
    writeFileSync(target, EAGER + readFileSync(source, "utf8"));
  else put(source, target);
  if (!WORTH_IT.test(source) || size < SMALLEST) return;
  const content = readFileSync(target);
  writeFileSync(`${target}.br`, brotliCompressSync(content, BROTLI));
  writeFileSync(`${target}.gz`, gzipSync(content, { level: 9 }));
}

function link(source, target) {
  try {
    linkSync(source, target);
  } catch {
    // Not every file system knows links.
    copyFileSync(source, target);
  }
}
