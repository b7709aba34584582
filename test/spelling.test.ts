import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Wrong spellings of English terms on the pages. The API has its own: `vmax_kt`, with unit `kt`, as in bulletins. */
const otherSpellings = [
  // lib/messages/en.json has `kn`.
  /\bkts?\b/i,
  // The right form is `n mi`.
  /\bnmi\b|\bNM\b|\d nm\b|^nm$| nm$/,
  /\bOpen-?Met-?ocean\b|\bOpen Metocean\b|\bOpen Met Ocean\b|\bOpenMetOcean\b/,
];

const isOther = (text: string) => otherSpellings.some((other) => other.test(text));

/** Texts of a source that a reader may see: literals, parts of templates, and text between elements. */
function textsOf(file: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    // A name in a type is not shown.
    if (ts.isLiteralTypeNode(node)) return;
    if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false));
  return texts;
}

it("pages use one spelling each for knots, nautical miles and the name of the service", () => {
  const files = globSync("{app,components}/**/*.{ts,tsx}", { cwd: root }).filter(
    (file) => !file.includes(".test."),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => textsOf(file, read(file)).filter(isOther));
  const lines = read("lib/messages/en.json").split("\n");
  const written = lines.map((line) => /^\s*(?:"[^"]+": )?"(.*)",?$/.exec(line)?.[1] ?? "");
  // The name of a placeholder is not shown.
  const others = written.map((text) => text.replace(/\{\w+/g, "{")).filter(isOther);
  expect([...found, ...others]).toEqual([]);
});

it("detects each wrong spelling", () => {
  for (const text of ["75 kt", "12 nmi", "5 nm", "Open Metocean"]) expect(isOther(text), text).toBe(true);
  for (const text of ["vmax_kt", "thresholdKt", "6 n mi", "Open MetOcean", "/MetOcean"])
    expect(isOther(text), text).toBe(false);
  const source = 'const kt = 5; const view = <p title="7 kt">{`8 kts`} over 5 nm</p>;';
  expect(textsOf("view.tsx", source).filter(isOther)).toEqual(["7 kt", "8 kts", " over 5 nm"]);
});
