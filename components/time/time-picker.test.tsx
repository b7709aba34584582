import { expect, it } from "vitest";
import type { ArchiveSpan } from "#lib/contract/field-manifest.ts";
import { en } from "#lib/messages/generated/en.ts";
import { parseInstant } from "#lib/time.ts";
import { renderInPage } from "#test/render.tsx";
import { TimePicker } from "./time-picker.tsx";

const now = parseInstant("2026-09-15T12:00:00Z");
const archive: ArchiveSpan[] = [
  { dataset: "Forecast", from: "2026-09-08T00:00:00Z", to: "2026-09-22T06:00:00Z" },
  { dataset: "Hindcast-3M", from: "2026-08-01T00:00:00Z", to: "2026-09-02T18:00:00Z" },
];

function render(
  known: ArchiveSpan[] | undefined,
  { error = null as Error | null, search = "", words = en } = {},
) {
  const picker = <TimePicker archive={known} error={error} isArchiveOnly={false} onClose={() => undefined} />;
  return renderInPage(picker, { clock: { now, time: now }, search, words });
}

/** The attributes of a day's button. */
const day = (html: string, name: string) =>
  new RegExp(`<button[^>]*aria-label="${name}[^"]*"[^>]*>`).exec(html)?.[0] ?? "";
/** Elements that the Tab key reaches. */
const stops = (html: string) => [...html.matchAll(/tabindex="0"[^>]*>([^<]*)</g)].map(([, text]) => text);

it.each([
  ["Tuesday 15 September 2026, forecast", /aria-current="date"/],
  ["Wednesday 2 September 2026, hindcast", /^(?!.*aria-disabled)/],
  ["Friday 4 September 2026, no data", /aria-disabled="true"/],
  ["Thursday 24 September 2026, no data", /aria-disabled="true"/],
  ["Saturday 26 September 2026, out of range", /aria-disabled="true"/],
])("tells days apart in words, and disables those without data and out of range: %s", (name, attributes) => {
  expect(day(render(archive), name)).toMatch(attributes);
});

it("names the datasets that there are, and has one day and one hour in the order of the Tab key", () => {
  const html = render(archive);
  expect(html).toMatch(/^(?!.*Hindcast-3Y).*Hindcast-3M <small>Aug to Sep 2026<\/small>/);
  expect(stops(html)).toEqual(["15", "12:00"]);
});

it("lets any day be chosen while it is not known which have data, and says why", () => {
  expect(render(undefined)).toContain("Reading which days have data");
  expect(day(render(undefined), "Friday 4 September 2026")).not.toContain("aria-disabled");
  const failed = render(undefined, { error: new Error("The server could not be reached.") });
  expect(failed).toContain("The days with data could not be read: The server could not be reached.");
});
