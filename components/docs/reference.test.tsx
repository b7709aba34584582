import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { describeApi } from "#lib/contract/described-api.ts";
import { apiDocument } from "#server/operations/operations.ts";
import { en, ja } from "#test/all-words.ts";
import { renderInPage } from "#test/render.tsx";
import { OperationsNav } from "./operations-nav.tsx";
import { OperationPage, Overview } from "./reference.tsx";
import { Code } from "./reply-view.tsx";
import { exampleForm, printValue, requestOf, type SnippetLanguage, snippetOf } from "./request-form.ts";

const api = describeApi(apiDocument(""));
const pageOf = (operation: (typeof api.operations)[number], words = en) =>
  renderInPage(<OperationPage api={api} operation={operation} words={words.docs} />);

it.each(api.operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  "%s: each reply is there, and each link within the page leads somewhere",
  (_name, operation) => {
    const html = pageOf(operation);
    for (const { status, schemas } of operation.replies) {
      expect(html).toMatch(new RegExp(`<th scope="row"[^>]*>${status}</th>`));
      for (const name of schemas) expect(html).toContain(`href="#${name}"`);
    }
    for (const [, name] of html.matchAll(/href="#([^"]+)"/g)) expect(html).toContain(`id="${name}"`);
    for (const { name } of operation.parameters) expect(html).toContain(`name="${name}"`);
  },
);

it.each([
  <OperationsNav key="list" groups={api.groups} current="post-metocean" open={false} setOpen={() => {}} />,
  <Overview key="overview" api={api} words={en.docs} />,
])("every operation is in the list and on the overview, by group", (page) => {
  const html = renderInPage(page);
  for (const { slug } of api.operations) expect(html).toContain(`href="/docs/${slug}"`);
  for (const { group } of api.groups) expect(html).toContain(en.docs.groups[group]);
});

it("what stands around the reference is in the language of the page, and the rest is said to be English", () => {
  const overview = renderInPage(<Overview api={api} words={ja.docs} />);
  expect(overview).toContain(`<p lang="en">${api.summary.slice(0, 20)}`);
  const html = pageOf(api.operations[0]!, ja);
  for (const text of [ja.docs.replies, `lang="en">${api.operations[0]!.summary}`])
    expect(html).toContain(text);
  expect(html).not.toContain(en.docs.replies);
});

it("strings are told apart from names of fields, with all of the text as it was", () => {
  const text = '{"id": ["a:b"], "said": "\\"yes\\"", "n" : 1}';
  const html = renderToStaticMarkup(<Code text={text} />);
  const strings = [...html.matchAll(/<span class="[^"]*">(.*?)<\/span>/g)].map(([, string]) => string);
  expect(strings).toEqual(["&quot;a:b&quot;", "&quot;\\&quot;yes\\&quot;&quot;"]);
  expect(html.replaceAll(/<[^>]+>/g, "").replaceAll("&quot;", '"')).toBe(text);
});

const operation = (slug: string) => api.operations.find((one) => one.slug === slug)!;
const points = operation("post-metocean");

it("a request has the values of the form: in its path, its query, its headers and its body", () => {
  const danger = operation("get-storms-id-danger");
  const form = exampleForm(danger);
  const targetOf = (parameters = {}) =>
    requestOf(danger, { ...form, parameters: { ...form.parameters, ...parameters } }).target;
  expect(targetOf()).toBe("/storms/{id}/danger?provider=jtwc");
  expect(targetOf({ id: "a/b $&", method: "season" })).toBe(
    "/storms/a%2Fb%20%24%26/danger?provider=jtwc&method=season",
  );
  const filled = { parameters: { "Idempotency-Key": "once" }, body: "{}", accept: "text/csv" };
  expect(requestOf(points, filled)).toMatchObject({
    headers: { "content-type": "application/json", accept: "text/csv", "idempotency-key": "once" },
    body: "{}",
  });
});

it.each<SnippetLanguage>(["curl", "typescript", "python"])(
  "%s changes with the format, and never contains a key",
  (language) => {
    const snippet = (of = points, more = {}) =>
      snippetOf(language, requestOf(of, { ...exampleForm(of), ...more }), "https://x");
    expect(snippet()).not.toContain("accept");
    for (const text of ["text/csv", "METOCEAN_KEY"])
      expect(snippet(points, { accept: "text/csv" })).toContain(text);
    expect(snippet(points, { accept: "application/x-netcdf" })).toContain("post-metocean.nc");
    expect(snippet(operation("get-limits"))).not.toContain("METOCEAN_KEY");
    const quoted = snippet(points, { body: `{"task_name": "St. John's", "receive_mail": true}` });
    expect(quoted).toContain(language === "curl" ? "St. John'\\''s" : "St. John's");
    expect(quoted).toContain(language === "python" ? "True" : "true");
  },
);

it("short values are in one line, long ones have an entry a line", () => {
  expect(printValue({ a: [1, 2], b: null })).toBe('{ "a": [1, 2], "b": null }');
  const long = { list: Array.from({ length: 30 }, (_, i) => ({ value: i })), nothing: {} };
  expect(JSON.parse(printValue(long))).toEqual(long);
  expect(printValue(long).split("\n")).toHaveLength(35);
});
