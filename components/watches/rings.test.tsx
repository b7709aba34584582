import { expect, it } from "vitest";
import type { Channel } from "#lib/contract/channels.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { topicChannel } from "#test/topic-channel.ts";
import { channelsQuery } from "./channels.tsx";
import { Rings, RingsSummary } from "./rings.tsx";
import { WatchDialog } from "./watch-dialog.tsx";

const channel = (id: string, more: Partial<Channel> = {}) =>
  topicChannel({ id, name: `boat ${id}`, ...more });

const cache = (channels: Channel[], mail = false) =>
  filledCache(channelsQuery(TEST_KEY), { channels, mail, calendar: false });
const nothing = () => undefined;
const rings = (
  channels: Channel[],
  chosen: string[] | null,
  mail = false,
  kind: "danger" | "window" = "danger",
) =>
  renderInPage(<Rings apiKey={TEST_KEY} chosen={chosen} kind={kind} onChange={nothing} onAdd={nothing} />, {
    cache: cache(channels, mail),
  });
const summary = (channels: Channel[], chosen: string[] | null) =>
  renderInPage(<RingsSummary apiKey={TEST_KEY} chosen={chosen} />, { cache: cache(channels) });

const SILENT = "No notifications";

it.each([
  ["there is no channel", [], null],
  ["none is chosen", [channel("a")], []],
  ["the chosen one is gone", [channel("a")], ["b"]],
  ["an e-mail waits for its reader", [channel("a", { kind: "mail", state: "unconfirmed" })], null],
  ["the only one is turned off", [channel("a", { state: "disabled" })], ["a"]],
])("a watch says that it rings nowhere where %s", (_, channels, chosen) => {
  expect(summary(channels, chosen)).toContain(SILENT);
});

it("names the channels by which a watch rings, and no other", () => {
  const channels = [channel("a"), channel("b", { state: "failing" }), channel("c", { state: "disabled" })];
  expect(summary(channels, null)).toContain("You are notified by: boat a, boat b.");
  expect(summary(channels, ["b", "c"])).toContain("You are notified by: boat b.");
  const html = rings(channels, ["b", "c"]);
  expect([html.match(/type="checkbox"/g), html.match(/checked=""/g)]).toEqual([
    Array(2).fill(expect.anything()),
    [expect.anything()],
  ]);
});

it("offers what works on this service alone", () => {
  expect(rings([], null)).toContain("This service sends no e-mail.");
  expect(rings([], null, true)).not.toContain("This service sends no e-mail.");
  expect(rings([], null)).not.toContain("Calendar of weather windows");
  expect(rings([], null, false, "window")).toContain("Calendar of weather windows");
});

it("is asked in the dialog of a new watch", () => {
  const dialog = (
    <WatchDialog apiKey={TEST_KEY} about={{ place: { latitude: 50, longitude: -20 } }} onClose={nothing} />
  );
  const html = renderInPage(dialog, { cache: cache([]) });
  expect(html).toContain("Where it shall ring");
  expect(html).toContain(SILENT);
});
