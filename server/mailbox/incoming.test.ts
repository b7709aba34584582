import { describe, expect, it } from "vitest";
import {
  type Incoming,
  isReplyToUs,
  keyIn,
  messageIdOf,
  readHeaders,
  requestIdOf,
  senderOf,
} from "./incoming.ts";

const own = ["weather@example.org"];

function incoming(headers: string, part: Partial<Incoming> = {}): Incoming {
  const read = readHeaders(Buffer.from(headers));
  return {
    uid: 7,
    from: ["Skipper@Boat.Example"],
    subject: "",
    headers: read,
    type: "text/plain",
    textPart: "1",
    ...part,
  };
}

describe("who is answered", () => {
  it.each(["", "Auto-Submitted: no", "Precedence: first-class", "Return-Path: <skipper@boat.example>"])(
    "a person, with the header %j",
    (headers) => {
      expect(senderOf(incoming(headers), own)).toBe("skipper@boat.example");
    },
  );

  it.each([
    "Auto-Submitted: auto-replied",
    "Auto-Submitted:\r\n auto-generated; type=x",
    "Precedence: bulk",
    "precedence: LIST",
    "X-Auto-Response-Suppress: OOF, AutoReply",
    "X-Autoreply: yes",
    "List-Id: <crew.example.org>",
    "List-Unsubscribe: <mailto:x@example.org>",
    "Return-Path: <>",
  ])("no program and no list: %j", (headers) => {
    expect(senderOf(incoming(headers), own)).toBeUndefined();
  });

  it.each([
    [{ from: ["Weather@example.org"] }],
    [{ from: ["MAILER-DAEMON@boat.example"] }],
    [{ from: ["noreply@boat.example"] }],
    [{ from: [] }],
    [{ from: [""] }],
    [{ from: ["a@boat.example", "b@boat.example"] }],
    [{ type: "multipart/report" }],
  ])("nor this service itself, a mail server, nobody or several: %j", (part) => {
    expect(senderOf(incoming("", part), own)).toBeUndefined();
  });
});

it("recognises replies to its own e-mails by the identifiers that these have", () => {
  expect(isReplyToUs(incoming("In-Reply-To: <0198c0de@metocean>"))).toBe(true);
  expect(isReplyToUs(incoming("References: <a@b>\r\n\t<0198c0de@metocean>"))).toBe(true);
  expect(isReplyToUs(incoming("In-Reply-To: <a@metocean.example>"))).toBe(false);
});

it.each(["<a@b>\r\nBcc: thief@example.org", "<a b@c>", "a@b", `<${"a".repeat(300)}@b>`, "", "<ä@b>"])(
  "repeats no Message-ID that is more than one: %j",
  (id) => {
    expect(messageIdOf(incoming("", { headers: new Map([["message-id", id]]) }))).toBeUndefined();
  },
);

it("gives each copy of a message the same id, and other messages other ids", () => {
  const id = (headers: string, address = "a@boat.example", uid = 7) =>
    requestIdOf(incoming(headers, { uid }), address, "INBOX 1");
  expect(id("Message-ID: <1@b>")).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(id("Message-ID: <1@b>", "a@boat.example", 8)).toBe(id("Message-ID: <1@b>"));
  const ids = [
    id("Message-ID: <1@b>"),
    id("Message-ID: <2@b>"),
    id("Message-ID: <1@b>", "c@d.example"),
    id(""),
    id("", "a@boat.example", 8),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

it("finds the keys that the service makes in a subject, and no other words", () => {
  const key = `mo_${"a".repeat(8)}_${"B".repeat(33)}`;
  expect(keyIn(`Re: weather ${key}`)).toBe(key);
  expect(keyIn(`${key}x`)).toBeUndefined();
  expect(keyIn("secret-key-of-the-environment")).toBeUndefined();
});
