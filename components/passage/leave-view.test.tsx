import { fromKnots } from "@open-metocean/geo/knots";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { utc } from "#components/view-state/civil.ts";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import { passage } from "#lib/messages/generated/en/passage.ts";
import { parseInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { metaOf, northward, planOf } from "#test/passage.ts";
import { renderInPage } from "#test/render.tsx";
import { wishText, withArrivalWords } from "./arrival-form.tsx";
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

describe("departures that are judged by their arrival", () => {
  const calm = () => ({ Winds_10m_Intensity: fromKnots(10), Winds_10m_Direction: 270 });
  const arrive = { meets: true, spare_s: 2400, sunrise: null, sunset: "2026-09-15T18:20:00Z" };
  const at = (hours: number, part: Partial<PassagePlan> = {}): PassagePlan => ({
    ...planOf(calm, NOW + hours * 3600),
    verdict: "GO",
    arrive,
    ...part,
  });
  const high = {
    ...({ waypoint: 2, station: "Saint Malo", nearest: "2026-09-15T22:50:00Z", holds: true } as const),
    gate: { kind: "high_water", station: "x:y", wait: false, from_h: -2, to_h: 2 },
  } as NonNullable<PassagePlan["gates"]>[number];
  const shown = (plans: PassagePlan[], gates?: PassageMeta["gates"]) => {
    const meta = { ...metaOf(plans), ...(gates && { gates }) };
    return render(compared(false, { ...answer, plans, meta })).replaceAll(/<[^>]*>/g, "|");
  };

  it("begin with the latest good one, in a sentence with the reserve, the sunset and the high water of its station", () => {
    const light = { arrival_light: "day" as const, gates: [high] };
    const chosen = [{ water_km: 4 }] as NonNullable<PassageMeta["gates"]>;
    const text = shown([at(-3), at(0, light), at(3, { verdict: "NO" })], chosen);
    expect(text).toContain("Latest: leave Tue 15 Sep 12:00");
    expect(text).toContain(
      "|arrives Tue 15 Sep 22:00, 40\u00a0min in hand, sunset 18:20, high water Saint Malo 22:50|",
    );
    // A gate of the route is not the high water of the arrival.
    expect(shown([at(0, light)], [{}] as NonNullable<PassageMeta["gates"]>)).toContain("sunset 18:20|");
    const polar = { arrival_light: "day", arrive: { ...arrive, sunset: null } } as const;
    expect(shown([at(0, polar)])).toContain("40\u00a0min in hand, the sun does not set|");
  });

  it("say, where none arrives as wished, which is least late and by how much, and do not wait for a forecast", () => {
    const late = (hours: number, spare_s: number) => {
      const plan = at(hours);
      const deciding = {
        by: "arrives_late" as const,
        value: null,
        limit: null,
        ratio: null,
        piece: null,
        at: plan.end,
      };
      return { ...plan, verdict: "NO" as const, deciding, arrive: { ...arrive, meets: false, spare_s } };
    };
    const text = shown([late(0, -7200), late(3, -18_000)]);
    expect(text).toContain("No departure arrives as wished within your limits");
    expect(text).toContain(
      "Least bad: Tue 15 Sep 12:00. Arrives Tue 15 Sep 22:00, 2\u00a0h later than wished.",
    );
    expect(text).not.toContain("Look again");
  });
});

it("the refusal of a high water without a station is in the words of the page", () => {
  const style = { units: defaultUnits, zone: utc, words: passage.outlook };
  const issues = [{ loc: ["body", "arrive", "high_water", "station"], msg: "There is no tide station" }];
  const refused = new ServiceError({ is: "rejected", problems: "", issues }, 422);
  expect(withArrivalWords(refused, style).message).toMatch(/^There is no tide station within 22 n mi/);
  const other = new ServiceError({ is: "rejected", problems: "", issues: [{ loc: ["body", "route"] }] }, 422);
  expect(withArrivalWords(other, style)).toBe(other);
});

it("a wish is written in a few words, in the clock of the page", () => {
  const style = { units: defaultUnits, zone: utc, words: passage.outlook };
  expect(wishText(undefined, style)).toBe("at any time");
  const wish = {
    by: "2026-09-20T12:00:00Z",
    daylight: "both_ends",
    high_water: { from_h: -2, to_h: 2 },
  } as const;
  expect(wishText(wish, style)).toBe("by Sun 20 Sep 12:00, daylight at both ends, HW ± 2 h");
});
