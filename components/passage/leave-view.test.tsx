import { fromKnots } from "@open-metocean/geo/knots";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { metaOf, northward, planOf } from "#test/passage.ts";
import { renderInPage } from "#test/render.tsx";
import { Compared, Progress } from "./leave-view.tsx";
import type { PassageAnswer } from "./passage-queries.ts";
import { PassageHead } from "./passage-view.tsx";

const NOW = parseInstant("2026-09-15T12:00:00Z");
const render = (page: ReactNode) => renderInPage(page, { clock: { now: NOW } });
const vessel = { kind: "fixed", speed_kt: 6 } as const;
const plans = [planOf(() => ({ Winds_10m_Intensity: fromKnots(10), Winds_10m_Direction: 270 }), NOW)];
const answer = { plans, meta: metaOf(plans), withStorms: true, readAt: NOW, isSaved: false } as PassageAnswer;
const nothing = () => {};
const button = /<button[^>]*>Compare departures<\/button>/;

const compared = (isStale: boolean, of = answer) => (
  <Compared answer={of} isStale={isStale} onCompare={nothing} vessel={vessel} chosen={undefined} />
);

it("a comparison that was cancelled, or whose plan has changed since, is made again by a button beside the notice", () => {
  const cancelled = render(<Progress state={{ is: "cancelled" }} onCancel={nothing} onCompare={nothing} />);
  expect(cancelled).toMatch(new RegExp(`The comparison was cancelled\\..*${button.source}`));
  expect(render(compared(true))).toMatch(
    new RegExp(`The plan has changed since: compare again\\..*${button.source}.*data-old="true"`),
  );
  expect(render(compared(false))).not.toMatch(button);
});

it("where no departure is good, one block says so, which is least bad and when to look again", () => {
  const gale = [planOf(() => ({ Winds_10m_Intensity: fromKnots(50), Winds_10m_Direction: 270 }), NOW)];
  const none = { ...answer, plans: gale, meta: metaOf(gale) };
  const query = { data: none } as unknown as Parameters<typeof PassageHead>[0]["query"];
  const plan = { name: "", route: northward, vessel };
  const html = render(
    <>
      <PassageHead compares plan={plan} query={query} />
      {compared(false, none)}
    </>,
  );
  expect(html.match(/class="verdict"/g)).toHaveLength(1);
  expect(html).toContain("Least bad: Tue 15 Sep 12:00. True wind 50 kn<");
  expect(html).toContain("Look again Wed 16 Sep 12:00: the forecast reaches further then.<");
});
