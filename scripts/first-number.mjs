// Builds the script that shows the first conditions before a page is alive (components/screen/show-first-number.ts), one
// for each language, into .next/first-number. The server puts it into the page (server/pages/next-pages.ts).

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import { languages } from "#lib/messages/language.ts";

const root = path.resolve(import.meta.dirname, "..");
const target = path.join(root, ".next", "first-number");

const ENTRY = "\0first-number";
const parts = ["catalog", "dates", "point", "ui"];

mkdirSync(target, { recursive: true });
for (const language of languages) {
  const { screen } = await import(`#lib/messages/generated/${language}/screen.ts`);
  const entry = entryOf(language, screen.notices.syntheticPrinted);
  const bundle = await rolldown({
    input: ENTRY,
    cwd: root,
    platform: "browser",
    transform: { target: "es2022" },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? entry : undefined),
      },
    ],
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({ format: "iife", codeSplitting: false, minify: true });
  const { code } = output[0];
  // It stands between tags.
  if (/<\/script|<!--/i.test(code))
    throw new Error("The script of the first number would end before its end.");
  writeFileSync(path.join(target, `${language}.js`), code.trim());
  await bundle.close();
}

/** The words of one language, by part: the file of the whole language has many more. */
function entryOf(language, synthetic) {
  const from = (file) => JSON.stringify(path.join(root, file));
  return [
    `import { showFirstNumber } from ${from("components/screen/show-first-number.ts")};`,
    ...parts.map(
      (part) => `import { ${part} } from ${from(`lib/messages/generated/${language}/${part}.ts`)};`,
    ),
    `showFirstNumber({ language: "${language}", ${parts.join(", ")} }, ${JSON.stringify(synthetic)}).catch(() => {});`,
    // The first script of the head is then the one that React made.
    "document.currentScript?.remove();",
  ].join("\n");
}
