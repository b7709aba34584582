import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { languages } from "#lib/messages/language.ts";

const root = path.join(import.meta.dirname, "..");

/**
 * Limit of the words that the first view waits for, bytes of brotli. A part that the view does not need is deferred
 * (lib/messages/words.ts), so this grows only with words that the map's page shows before anyone uses it. The 1.1 kB
 * that read messages are not counted.
 */
const MOST = 13_600;

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
  // If the size were far below, the limit would be meaningless.
  expect(bytes).toBeGreaterThan(MOST / 2);
});
