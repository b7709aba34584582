import { expect, it } from "vitest";
import { channelLinks } from "./alert-mail.ts";

const links = channelLinks("secret of the tests");
const [id, other] = ["0199aaaa-0000-7000-8000-000000000001", "0199aaaa-0000-7000-8000-000000000002"] as const;
const NOW = 1_800_000_000;
const confirm = links.token("confirm", id, "a@example.org", NOW);
const unsubscribe = links.token("unsubscribe", id, "a@example.org");

it("a token is valid for its purpose, channel and address only", () => {
  expect(links.check(confirm, "confirm", id, "a@example.org", NOW)).toBe(true);
  expect(links.check(unsubscribe, "unsubscribe", id, "a@example.org", NOW)).toBe(true);
  expect(links.check(confirm, "unsubscribe", id, "a@example.org", NOW)).toBe(false);
  expect(links.check(unsubscribe, "confirm", id, "a@example.org", NOW)).toBe(false);
  expect(links.check(confirm, "confirm", other, "a@example.org", NOW)).toBe(false);
  expect(links.check(confirm, "confirm", id, "b@example.org", NOW)).toBe(false);
  expect(channelLinks("another secret").check(confirm, "confirm", id, "a@example.org", NOW)).toBe(false);
});

it("a link that confirms ends after three days and cannot be renewed; one that unsubscribes stays valid", () => {
  const [time, mac] = confirm.split(".");
  const later = NOW + 3 * 86_400;
  expect(links.check(confirm, "confirm", id, "a@example.org", later - 1)).toBe(true);
  expect(links.check(confirm, "confirm", id, "a@example.org", later)).toBe(false);
  expect(links.check(`${Number(time) + 5}.${mac}`, "confirm", id, "a@example.org", later)).toBe(false);
  expect(links.check(unsubscribe, "unsubscribe", id, "a@example.org", NOW + 1e9)).toBe(true);
});

it.each(["", ".", "0.", `x.${confirm}`, `${confirm}=`, `${confirm} `, confirm.slice(0, -1)])(
  "takes %j for no token",
  (text) => {
    expect(links.check(text, "confirm", id, "a@example.org", NOW)).toBe(false);
  },
);
