import { expect, it } from "vitest";
import { type Channel, channelStates } from "#lib/contract/channels.ts";
import { de } from "#test/all-words.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { Channels, channelsQuery } from "./channels.tsx";

const channel: Channel = {
  id: "0199aaaa-0000-7000-8000-000000000001",
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

it("says how each channel is, and offers what can be done with it", () => {
  const texts = {
    active: ["in use", "Send a test"],
    failing: [
      "is tried again",
      "Last failure: the receiver answered with an error (HTTP 500)",
      "Send a test",
    ],
    disabled: ["turned off", "Send a test"],
    unconfirmed: ["until its reader opens the link", "Send the link again"],
    unsubscribed: ["wants no more alerts", "Send the link again"],
  };
  for (const state of channelStates) {
    const error = state === "failing" ? "the target answered HTTP 500" : null;
    const error_code = error && "status";
    const html = page([{ ...channel, kind: "mail", state, error, error_code }]);
    for (const text of texts[state]) expect(html, state).toContain(text);
    expect(html.includes("Send a test"), state).toBe(!/^un/.test(state));
    expect(html.includes("New secret")).toBe(false);
  }
  expect(page([channel])).toContain("New secret");
});

it("names each button with its channel for those who do not see the row", () => {
  expect(page([channel])).toContain('aria-label="Delete: Bridge &lt;b&gt;"');
});

it("says that nothing else is set, offers mail only where the service sends it, and the calendar by its state", () => {
  expect(page([])).toContain("No channels yet.");
  expect(page([])).toContain("Nothing but a link is sent");
  expect(page([], { mail: false })).toContain('type="url"');
  expect(page([])).toContain("Make an address");
  expect(page([], { calendar: true })).toContain("Change the address");
});

it("shows nothing of channels without a key", () => {
  expect(page([channel], {}, { apiKey: null })).toBe("");
});

it("says why a delivery failed in the language of the page, with the number of the reply and no English words", () => {
  const failing = (error: string, error_code: Channel["error_code"]) =>
    page([{ ...channel, state: "failing", error, error_code }], {}, { words: de });
  expect(failing("the target took more than 10 s", "timeout")).toContain(
    "der Empfänger hat zu lange gebraucht",
  );
  expect(failing("The mail server refused the email (552)", "mail_refused")).toContain(
    "der Mailserver hat sie abgelehnt (SMTP 552)<",
  );
});

it("is in the language of the page", () => {
  const html = page([channel], {}, { words: de });
  for (const text of ["Wohin Meldungen gehen", "in Betrieb", "Test senden", "Stelle hinzufügen"])
    expect(html).toContain(text);
});
