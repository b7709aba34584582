import { expect, it } from "vitest";
import { guestSessions, SESSION_S } from "./guest-session.ts";

const time = { now: 1_800_000_000 };
const clock = { now: () => time.now };
const sessions = guestSessions("pepper of the tests", clock);

it("a session is valid until it ends, and a minute longer for a replica whose clock is ahead", () => {
  time.now = 1_800_000_000;
  const session = sessions.begin();
  expect(sessions.check(session)).toBe("valid");
  time.now += SESSION_S + 59;
  expect(sessions.check(session)).toBe("valid");
  time.now += 1;
  expect(sessions.check(session)).toBe("ended");
});

it("one of a replica whose clock is a minute ahead is valid, one from further in the future is not", () => {
  time.now = 1_800_000_060;
  const ahead = sessions.begin();
  time.now -= 60;
  expect(sessions.check(ahead)).toBe("valid");
  time.now -= 1;
  expect(sessions.check(ahead)).toBe("ended");
});

it("says whether it lasts for as long as is wanted", () => {
  time.now = 1_800_000_000;
  const session = sessions.begin();
  expect(sessions.check(session, SESSION_S - 1)).toBe("valid");
  expect(sessions.check(session, SESSION_S)).toBe("ended");
});

it("another secret, another end and what was never signed are forged", () => {
  const session = sessions.begin();
  const [ends = "", mac = ""] = session.split(".");
  const later = `${Number(ends) + 1}.${mac}`;
  expect(guestSessions("another pepper of tests", clock).check(session)).toBe("forged");
  for (const text of [
    later,
    "",
    ".",
    ends,
    mac,
    `${session}x`,
    `${session}.`,
    `0${session}`,
    `${ends}.${"A".repeat(22)}`,
  ])
    expect(sessions.check(text), text).toBe("forged");
});

it("carries nothing but its end: two visitors of one second have the same", () => {
  expect(sessions.begin()).toBe(sessions.begin());
});
