import { expect, it } from "vitest";
import { ja } from "#lib/messages/generated/ja.ts";
import { renderInPage } from "#test/render.tsx";
import { KeyPrompt } from "./key-prompt.tsx";
import { KeyInUse, KeyNotice, KeyStatus } from "./key-status.tsx";

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

it("a key stays in the tab unless the user wants it remembered", () => {
  const html = renderInPage(<KeyPrompt />, { apiKey: null });
  expect(html).toMatch(
    /<input type="checkbox"(?![^>]*checked)[^>]*name="remember"[^>]*>Remember it on this device/,
  );
  expect(renderInPage(<KeyInUse />, { apiKey: mine })).toContain("kept until the tab is closed");
  const remembered = renderInPage(<KeyInUse />, { apiKey: mine, stored: { remembered: true } });
  expect(remembered).toContain("stays on this device until you forget it");
  expect(remembered).toMatch(/<input[^>]*checked=""/);
});

it("a visitor is asked for no key, and can enter one", () => {
  const visitor = { apiKey: null, guests: "map" } as const;
  expect(renderInPage(<KeyPrompt />, visitor)).toBe("");
  expect(renderInPage(<KeyInUse />, visitor)).toMatch(
    /as a visitor, without an API key.*<button[^>]*>Enter an API key</,
  );
  expect(renderInPage(<KeyStatus />, visitor)).toContain('aria-label="API key"');
  const asked = renderInPage(<KeyPrompt optional />, { ...visitor, stored: { asked: true } });
  expect(asked).toMatch(/Enter an API key.*aria-label="Close"/);
  expect(renderInPage(<KeyPrompt optional />, { apiKey: null })).toBe("");
});

it("where visitors are no longer let in, the page asks for a key", () => {
  const html = renderInPage(<KeyPrompt />, { apiKey: null, guests: "map", stored: { guestRefused: true } });
  expect(html).toContain("An API key is needed");
});

it("a key that never worked is asked for again; where visitors are let in, the page can go on without", () => {
  const refused = { apiKey: mine, stored: { refused: true } };
  expect(renderInPage(<KeyPrompt />, refused)).toContain("This key was refused");
  expect(renderInPage(<KeyPrompt />, refused)).not.toContain("Go on without a key");
  expect(renderInPage(<KeyPrompt />, { ...refused, guests: "map" })).toContain("Go on without a key");
});

it("a key that was revoked while it was in use leaves the page as it is, and says so", () => {
  const revoked = { apiKey: mine, stored: { refused: true, revoked: true } };
  expect(renderInPage(<KeyPrompt />, revoked)).toBe("");
  expect(renderInPage(<KeyNotice />, { apiKey: mine })).toBe("");
  const html = renderInPage(<KeyNotice />, revoked);
  expect(html).toMatch(/role="status".*no longer accepted.*was read before.*<button[^>]*>Enter another key</);
  expect(html).not.toContain("Go on without a key");
  expect(renderInPage(<KeyNotice />, { ...revoked, guests: "api" })).toContain("Go on without a key");
  const asked = renderInPage(<KeyPrompt />, { apiKey: mine, stored: { ...revoked.stored, asked: true } });
  expect(asked).toContain("Enter an API key");
});

it("where keys are sent by e-mail, the page offers it; a link of such a mail makes nothing by being opened", () => {
  expect(renderInPage(<KeyPrompt />, { apiKey: null })).not.toContain("e-mail");
  const asked = renderInPage(<KeyPrompt />, { apiKey: null, keyRequests: true });
  expect(asked).toMatch(/No key yet\?.*<input[^>]*type="email".*<button[^>]*>Send the link</);
  const linked = { apiKey: null, stored: { newKeyToken: "token-of-mail" } };
  expect(renderInPage(<KeyPrompt />, linked)).toContain("An API key is needed");
  const html = renderInPage(<KeyPrompt />, { ...linked, keyRequests: true });
  expect(html).toMatch(/Make your API key.*It works once\..*<button[^>]*>Make my key</);
  expect(html).not.toContain("token-of-mail");
});

it("the sentence that names the key is that of the language", () => {
  const html = renderInPage(<KeyInUse />, { apiKey: mine, words: ja });
  expect(html).toContain("このタブはキー <code>mo_abcdEFGH</code> を使用しています。");
});
