import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Code } from "./reply-view.tsx";

it("values that are strings are told apart, and names of fields are not, with all of the text as it was", () => {
  const text = '{"id": ["a:b"], "said": "\\"yes\\"", "n" : 1}';
  const html = renderToStaticMarkup(<Code text={text} />);
  const strings = [...html.matchAll(/<span class="code-string">(.*?)<\/span>/g)].map(([, string]) => string);
  expect(strings).toEqual(["&quot;a:b&quot;", "&quot;\\&quot;yes\\&quot;&quot;"]);
  expect(html.replaceAll(/<[^>]+>/g, "").replaceAll("&quot;", '"')).toBe(text);
});
