import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { describeApi } from "#lib/contract/described-api.ts";
import { apiDocument } from "#server/operations/list.ts";
import { en, ja } from "#test/all-words.ts";
import { ApiReference } from "./api-reference.tsx";

const api = describeApi(apiDocument(""));
const html = renderToStaticMarkup(<ApiReference api={api} words={en.docs} />);

it("describes every operation with its replies", () => {
  for (const { method, path, replies } of api.operations) {
    const section = html.slice(html.indexOf(`${method} ${path}</h3>`));
    for (const { status } of replies) expect(section).toContain(`<code>${status}</code>`);
  }
});

it("links every body to the table of its fields", () => {
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, name]) => name);
  expect(targets.length).toBeGreaterThan(10);
  for (const name of targets) expect(html).toContain(`id="${name}"`);
});

it("has what stands around the reference in the language of the page, and says that the rest is English", () => {
  const japanese = renderToStaticMarkup(<ApiReference api={api} words={ja.docs} />);
  expect(japanese).toContain("ヘッダー<code>x-api-key</code>にアクセスキーが必要です。");
  expect(japanese).toContain(`<p class="mt-3" lang="en">${api.description.slice(0, 20)}`);
  expect(japanese).not.toContain("No key.");
});

it("stands without operations and bodies", () => {
  const empty = { ...api, operations: [], schemas: [] };
  expect(renderToStaticMarkup(<ApiReference api={empty} words={en.docs} />)).toContain("Operations");
});
