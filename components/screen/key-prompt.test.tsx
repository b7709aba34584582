import { expect, it } from "vitest";
import { renderInPage } from "#test/render.tsx";
import { KeyPrompt } from "./key-prompt.tsx";
import { KeyInUse } from "./key-status.tsx";

const [mine, theirs] = ["mo_abcdEFGH_secretsecretsecret", "mo_zyxwVUTS_othersecretothers"];

it("asks before a link's key replaces the one in use, and names both by their public part", () => {
  const html = renderInPage(<KeyPrompt />, { apiKey: mine, offered: theirs });
  expect(html).toContain("This link brings another API key");
  expect(html).toMatch(/This tab uses.*<code>mo_abcdEFGH<.*The link brings.*<code>mo_zyxwVUTS</);
  expect(html).toMatch(/<button[^>]*>Keep my key<.*<button[^>]*>Use the link&#x27;s key</);
  expect(html).not.toContain("secret");
});

it("asks for a key where there is none, and for nothing where there is one", () => {
  expect(renderInPage(<KeyPrompt />, { apiKey: null })).toContain("An API key is needed");
  expect(renderInPage(<KeyPrompt />, { apiKey: mine })).toBe("");
});

it("says which key is in use, by its public part, and offers to forget it", () => {
  const html = renderInPage(<KeyInUse />, { apiKey: mine });
  expect(html).toMatch(/This tab uses the key <code>mo_abcdEFGH<.*<button[^>]*>Forget this key</);
  expect(html).not.toContain("secret");
  expect(renderInPage(<KeyInUse />, { apiKey: null })).toBe("");
});
