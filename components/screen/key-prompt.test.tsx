import { expect, it } from "vitest";
import { ja } from "#lib/messages/generated/ja.ts";
import { renderInPage } from "#test/render.tsx";
import { KeyPrompt } from "./key-prompt.tsx";
import { KeyInUse, KeyNotice } from "./key-status.tsx";

const mine = "mo_abcdEFGH_secretsecretsecret";
const none = { apiKey: null };
const visitor = { apiKey: null, guests: "map" } as const;
const refused = { apiKey: mine, stored: { refused: true } };
const revoked = { apiKey: mine, stored: { refused: true, revoked: true } };
const linked = { apiKey: null, stored: { newKeyToken: "token-of-mail" } };
const [prompt, inUse] = [<KeyPrompt key="prompt" />, <KeyInUse key="use" />];

it.each([
  ["asks for a key where there is none", prompt, none, /An API key is needed/],
  ["asks for nothing where there is one", prompt, { apiKey: mine }, /^$/],
  [
    "says which key is in use, by its public part, and offers to forget it",
    inUse,
    { apiKey: mine },
    /^(?!.*secret).*This tab uses the key <code>mo_abcdEFGH<.*kept until the tab is closed.*>Forget this key</,
  ],
  ["says nothing of a key where there is none", inUse, none, /^$/],
  [
    "names the key in the sentence of the language",
    inUse,
    { apiKey: mine, words: ja },
    /このタブはキー <code>mo_abcdEFGH<\/code> を使用しています。/,
  ],
  [
    "keeps a key in the tab unless the user wants it remembered",
    prompt,
    none,
    /<input type="checkbox"(?![^>]*checked)[^>]*name="remember"[^>]*>Remember it on this device/,
  ],
  [
    "says that a key is remembered",
    inUse,
    { apiKey: mine, stored: { remembered: true } },
    /(?=.*stays on this device until you forget it)<.*<input[^>]*checked=""/,
  ],
  [
    "says whom to ask for a key, by e-mail",
    prompt,
    { ...none, keyContact: "keys@example.org" },
    /Ask <a [^>]*href="mailto:keys@example.org">keys@example.org<\/a> for a key\.(?!.*keys create)/,
  ],
  [
    "says whom to ask for a key, on a page",
    prompt,
    { ...none, keyContact: "https://example.org/keys" },
    /href="https:\/\/example.org\/keys"/,
  ],
  [
    "says how a key is made where the operator names nobody",
    prompt,
    none,
    /creates a key on its server: <code[^>]*>npm run metocean -- keys create --owner NAME</,
  ],
  ["asks a visitor for no key", prompt, visitor, /^$/],
  ["asks nobody where a key is optional", <KeyPrompt key="optional" optional />, none, /^$/],
  [
    "asks for a key where visitors are no longer let in",
    prompt,
    { ...visitor, stored: { guestRefused: true } },
    /An API key is needed/,
  ],
  [
    "asks again for a key that never worked",
    prompt,
    refused,
    /^(?!.*Go on without a key).*This key was refused/,
  ],
  [
    "lets the page go on without one where visitors are let in",
    prompt,
    { ...refused, guests: "map" },
    /Go on without a key/,
  ],
  ["leaves the page as it is for a key that was revoked while in use", prompt, revoked, /^$/],
  [
    "says that it was revoked",
    <KeyNotice key="notice" />,
    revoked,
    /^(?!.*Go on without a key).*role="status".*no longer accepted.*was read before.*>Enter another key</,
  ],
  [
    "offers to go on without it",
    <KeyNotice key="notice" />,
    { ...revoked, guests: "api" },
    /Go on without a key/,
  ],
  ["says nothing of a key that works", <KeyNotice key="notice" />, { apiKey: mine }, /^$/],
  ["offers no e-mail where keys are not sent", prompt, none, /^(?!.*e-mail)/],
  [
    "offers to send a key by e-mail",
    prompt,
    { apiKey: null, keyRequests: true },
    /No key yet\?.*<input[^>]*type="email".*>Send the link</,
  ],
  ["ignores a link of a mail where keys are not sent", prompt, linked, /An API key is needed/],
  [
    "makes nothing by opening the link of a mail",
    prompt,
    { ...linked, keyRequests: true },
    /^(?!.*token-of-mail).*Make your API key.*It works once\..*>Make my key</,
  ],
] as const)("%s", (_, shown, page, html) => {
  expect(renderInPage(shown, page)).toMatch(html);
});
