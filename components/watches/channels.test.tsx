import { expect, it } from "vitest";
import { type Channel, channelStates } from "#lib/contract/channels.ts";
import { channelLinks } from "#server/alerts/alert-mail.ts";
import { de } from "#test/all-words.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { Channels, channelLinkOf, channelResolver, channelsQuery } from "./channels.tsx";

const id = "0199aaaa-0000-7000-8000-000000000001";
const channel: Channel = {
  id,
  kind: "webhook",
  name: "Bridge <b>",
  target: "https://hook.example.org/a",
  state: "active",
  error: null,
  error_code: null,
  failing_since: null,
  created_at: "2027-01-01T00:00:00Z",
};

const page = (channels: Channel[], more = {}, options = {}) =>
  renderInPage(<Channels />, {
    cache: filledCache(channelsQuery(TEST_KEY), { channels, mail: true, calendar: false, ...more }),
    ...options,
  });

const texts = {
  active: ["in use"],
  failing: ["is tried again", "Last failure: the receiver answered with an error (HTTP 500)"],
  disabled: ["turned off"],
  unconfirmed: ["until its reader opens the link", "Send the link again"],
  unsubscribed: ["wants no more alerts", "Send the link again"],
};

it.each(channelStates)("says that a channel is %s, and offers what can be done with it", (state) => {
  const failure = { error: "the target answered HTTP 500", error_code: "status" as const };
  const html = page([{ ...channel, kind: "mail", state, ...(state === "failing" && failure) }]);
  for (const text of texts[state]) expect(html).toContain(text);
  expect(html.includes("Send a test")).toBe(!/^un/.test(state));
  expect(html).not.toContain("New secret");
});

it.each([
  ["a new secret of a webhook", [channel], {}, "New secret"],
  [
    "buttons by their channel for those who do not see it",
    [channel],
    {},
    'aria-label="Delete: Bridge &lt;b&gt;"',
  ],
  ["that there are none", [], {}, "No channels yet."],
  ["that a link is all that a mail has", [], {}, "Only a link is sent"],
  ["no mail where the service sends none", [], { mail: false }, 'type="url"'],
  ["what it does not send", [], { mail: false }, "This service sends no e-mail."],
  ["an address of the calendar", [], {}, "Make an address"],
  ["to change the address that there is", [], { calendar: true }, "Change the address"],
])("has %s", (_, channels, more, text) => expect(page(channels, more)).toContain(text));

it("shows nothing of channels without a key", () => {
  expect(page([channel], {}, { apiKey: null })).toBe("");
});

it.each([
  ["the target took more than 10 s", "timeout", "der Empfänger hat zu lange gebraucht"],
  ["The mail server refused the email (552)", "mail_refused", "der Mailserver hat sie abgelehnt (SMTP 552)<"],
] as const)("is in the language of the page, with the number of a reply: %s", (error, error_code, text) => {
  const html = page([{ ...channel, state: "failing", error, error_code }], {}, { words: de });
  for (const said of [text, "Wohin Meldungen gehen", "Test senden", "Stelle hinzufügen"])
    expect(html).toContain(said);
});

const links = channelLinks("secret");

it.each([
  ["confirm-channel", "confirm", links.token("confirm", id, "mate@example.org", 1_800_000_000)],
  ["unsubscribe", "unsubscribe", links.token("unsubscribe", id, "mate@example.org")],
])("reads the link %s as the e-mails have it", (name, purpose, token) => {
  expect(channelLinkOf(`#${name}=${id}.${token}`)).toEqual({ purpose, channel: id, token });
});

it.each(["", "#unsubscribe=", `#unsubscribe=${id}.0.x`, `#new-key=${id}.0.${"x".repeat(43)}`])(
  "takes %j for no link",
  (hash) => expect(channelLinkOf(hash)).toBeUndefined(),
);

it("offers no kind of channel that this service cannot deliver by", () => {
  const kinds = (mail: boolean) => page([], { mail }).match(/(?<=class="toggle">)[^<]+/g);
  expect([kinds(true), kinds(false)]).toEqual([
    ["E-mail", "Webhook", "ntfy"],
    ["Webhook", "ntfy"],
  ]);
});

const typed = { target: "", name: "", token: "" };
const check = (values: Partial<typeof typed> & { kind: Channel["kind"] }) =>
  channelResolver(de.channels, "de")({ ...typed, ...values });

it("sends what was typed without spaces around it, and nothing that the kind does not have", () => {
  const mail = { kind: "mail" as const, target: " mate@example.org ", token: "x" };
  expect(check(mail)).toEqual({
    values: { kind: "mail", target: "mate@example.org", language: "de" },
    errors: {},
  });
  const topic = "https://ntfy.sh/boat";
  expect(check({ kind: "ntfy", target: topic, name: " Boat ", token: "tk_1" })).toMatchObject({
    values: { kind: "ntfy", target: topic, name: "Boat", token: "tk_1" },
  });
});

it.each([
  ["no address of an e-mail", { kind: "mail", target: "mate" }, { target: "Das ist keine E-Mail-Adresse." }],
  ["nothing", { kind: "webhook" }, { target: /https:\/\/ beginnt/ }],
  ["no topic", { kind: "ntfy", target: "https://ntfy.sh/" }, { target: /Adresse eines Themas/ }],
  [
    "a token with a space and a long name",
    { kind: "ntfy", target: "https://ntfy.sh/boat", token: "a b", name: "x".repeat(101) },
    { token: /keine Leerzeichen/, name: "Das ist zu lang." },
  ],
] as const)("says in the language of the page what is wrong with %s, by the contract", (_, values, wrong) => {
  const { errors } = check(values) as { errors: Record<string, { message: string }> };
  expect(Object.keys(errors).sort()).toEqual(Object.keys(wrong).sort());
  for (const [field, text] of Object.entries(wrong)) expect(errors[field]?.message).toMatch(text);
});
