import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { languages } from "#lib/messages/language.ts";

const root = path.join(import.meta.dirname, "..");

/**
 * Words that the first view waits for, brotli, bytes. A part that it does not need is late (lib/messages/words.ts); this grows
 * only for words that are on the map's page before anybody touches it. What reads messages, 1.1 kB, is not counted.
 */
const MOST = 13_200;

it.each(languages)("the words of the first view in %s stay small", async (language) => {
  const bundle = await rolldown({
    input: path.join(root, `lib/messages/generated/${language}.ts`),
    external: /read-messages/,
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ minify: true });
  const bytes = brotliCompressSync(output[0].code).length;
  await bundle.close();
  expect(bytes).toBeLessThan(MOST);
  // Far below it the limit would say nothing.
  expect(bytes).toBeGreaterThan(MOST / 2);
});
