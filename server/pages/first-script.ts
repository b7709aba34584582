import { readFileSync } from "node:fs";
import path from "node:path";
import { type Language, languages } from "#lib/messages/language.ts";

/**
 * Puts the script that shows the first conditions (scripts/first-number.mjs) into a page: at the start of its head, because
 * a script behind a style sheet waits for that. The page has its hash in its policy like those of its other scripts.
 *
 * @param build Folder of the build.
 */
export function firstScripts(build: string): (html: string, language: Language) => string {
  const read = (language: Language) =>
    [language, readFileSync(path.join(build, "first-number", `${language}.js`), "utf8")] as const;
  const scripts = new Map(languages.map(read));
  return (html, language) =>
    html.replace(
      "<head>",
      (head) => `${head}<meta charset="utf-8"/><script>${scripts.get(language)}</script>`,
    );
}
