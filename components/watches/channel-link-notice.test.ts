import { expect, it } from "vitest";
import { channelLinks } from "#server/alerts/alert-mail.ts";
import { channelLinkOf } from "./channels.tsx";

const id = "0199aaaa-0000-7000-8000-000000000001";
const links = channelLinks("secret");

it("reads the links as the e-mails have them", () => {
  const confirm = links.token("confirm", id, "mate@example.org", 1_800_000_000);
  const unsubscribe = links.token("unsubscribe", id, "mate@example.org");
  expect(channelLinkOf(`#confirm-channel=${id}.${confirm}`)).toEqual({
    purpose: "confirm",
    channel: id,
    token: confirm,
  });
  expect(channelLinkOf(`#unsubscribe=${id}.${unsubscribe}`)).toEqual({
    purpose: "unsubscribe",
    channel: id,
    token: unsubscribe,
  });
});

it.each([
  "",
  "#",
  "#unsubscribe=",
  `#unsubscribe=${id}`,
  `#unsubscribe=${id}.0.x`,
  `#new-key=${id}.0.${"x".repeat(43)}`,
])("takes %j for no link", (hash) => {
  expect(channelLinkOf(hash)).toBeUndefined();
});
