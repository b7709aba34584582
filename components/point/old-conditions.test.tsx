import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import { renderInPage } from "#test/render.tsx";
import { OldConditions } from "./old-conditions.tsx";

const time = Date.UTC(2026, 0, 1, 6) / 1000;
const shown = { time: time - 3 * HOUR_S, conditions: {}, meta: undefined };
const notice = (old: boolean, offline: boolean) =>
  renderInPage(
    <OldConditions shown={shown} old={old} offline={offline} readAt={time - 5 * HOUR_S} time={time} />,
  ).replaceAll(/<[^>]*>/g, "");

it("says of which time values are, whether others come, and when they were read without a connection", () => {
  expect(notice(false, false)).toBe("");
  expect(notice(false, true)).toBe("Offline. Read Thu 1 Jan 01:00 UTC.");
  expect(notice(true, false)).toBe(
    "As of Thu 1 Jan 03:00 UTC. The values of Thu 1 Jan 06:00 UTC are being read.",
  );
  expect(notice(true, true)).toBe(
    "As of Thu 1 Jan 03:00 UTC, offline. The values of Thu 1 Jan 06:00 UTC were not read.",
  );
});
