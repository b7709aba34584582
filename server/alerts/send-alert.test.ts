import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { newWebhookSecret, retryAfterSeconds, retrySeconds, webhookHeaders } from "./send-alert.ts";

/** Reference values published with the standard, against which its own libraries are tested. */
const reference = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  message: { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", sentAt: 1614265330, body: '{"test": 2432232314}' },
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

it("signs the standard's reference message with the expected signature", () => {
  expect(webhookHeaders(reference.message, [reference.secret])).toEqual({
    "webhook-id": reference.message.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": reference.signature,
  });
});

it("signs with both secrets while one replaces the other, the new one first", () => {
  const fresh = newWebhookSecret();
  const { "webhook-signature": signatures } = webhookHeaders(reference.message, [fresh, reference.secret]);
  const own = createHmac("sha256", Buffer.from(fresh.slice(6), "base64"))
    .update(`${reference.message.id}.1614265330.${reference.message.body}`)
    .digest("base64");
  expect(signatures).toBe(`v1,${own} ${reference.signature}`);
});

it("waits longer after each failure, up to two hours, spread by a fifth to both sides", () => {
  const middle = Array.from({ length: 10 }, (_, at) => retrySeconds(at + 1, 0, 0.5));
  expect(middle).toEqual([5, 30, 120, 300, 900, 1800, 3600, 7200, 7200, 7200]);
  expect(retrySeconds(3, 0, 0)).toBeCloseTo(96);
  expect(retrySeconds(3, 0, 1)).toBeCloseTo(144);
});

it("never waits less than the target asks for", () => {
  expect(retrySeconds(1, 90, 0)).toBe(90);
  expect(retrySeconds(8, 90, 0)).toBeCloseTo(5760);
});

const NEW_YEAR = Date.UTC(2027, 0, 1) / 1000;

it.each([
  [undefined, 0],
  ["120", 120],
  [" 120 ", 120],
  ["Fri, 01 Jan 2027 00:10:00 GMT", 660],
  ["Thu, 31 Dec 2026 23:00:00 GMT", 0],
  ["99999999999", 43_200],
  ["soon", 0],
  ["-5", 0],
  ["", 0],
])("reads Retry-After %j a minute before New Year", (header, seconds) => {
  expect(retryAfterSeconds(header, NEW_YEAR - 60)).toBe(seconds);
});
