import { expect, it } from "vitest";
import { pathSigner } from "./signed-path.ts";

const SECRET = "a secret of some length";
let now = 1_800_000_000;
const clock = { now: () => now };
const signer = pathSigner(SECRET, clock);

it("grants one subject, for one to three hours, and nothing else", () => {
  const grant = signer.grant("wind of run a");
  const { state, secondsLeft } = signer.check(grant, "wind of run a");
  expect(state).toBe("valid");
  expect(secondsLeft).toBeGreaterThanOrEqual(3600);
  expect(secondsLeft).toBeLessThanOrEqual(3 * 3600);
  expect(signer.check(grant, "wind of run b").state).toBe("forged");
});

it("gives all callers the same grant for a while, so that a shared cache can answer", () => {
  const first = signer.grant("a");
  now += 60;
  expect(signer.grant("a")).toBe(first);
  now += 2 * 3600;
  expect(signer.grant("a")).not.toBe(first);
});

it("distinguishes an expired grant from a forged one", () => {
  const grant = signer.grant("a");
  now += 3 * 3600;
  expect(signer.check(grant, "a").state).toBe("expired");
  const [expires = "", mac = ""] = grant.split(".");
  expect(signer.check(`${Number(expires) + 7200}.${mac}`, "a").state).toBe("forged");
  for (const other of [
    "",
    ".",
    mac,
    `${expires}.`,
    `${expires}.${"A".repeat(22)}`,
    `${grant}A`,
    ` ${grant}`,
  ]) {
    expect(signer.check(other, "a").state).toBe("forged");
  }
});

it("does not accept a grant that was signed while the clock was a day ahead", () => {
  now += 86_400;
  const grant = signer.grant("a");
  now -= 86_400;
  expect(signer.check(grant, "a").state).toBe("expired");
});

it("does not accept the grants of another secret", () => {
  const other = pathSigner("another secret, as long", clock);
  expect(signer.check(other.grant("a"), "a").state).toBe("forged");
});
