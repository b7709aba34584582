import { expect, it } from "vitest";
import { escapeMarkup, linkedHtml } from "./markup.ts";

it("leaves no sign that ends a text, a tag or an attribute", () => {
  expect(escapeMarkup(`<a b="c" d='e'>&amp;`)).toBe("&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;");
});

it("links an address and nothing else", () => {
  expect(linkedHtml("https://sea.example/?a=1&b=2")).toBe(
    '<a href="https://sea.example/?a=1&amp;b=2">https://sea.example/?a=1&amp;b=2</a>',
  );
  for (const text of ["javascript:alert(1)", "see https://sea.example", 'https://sea.example/" onclick="x'])
    expect(linkedHtml(text)).toBe(escapeMarkup(text));
});
