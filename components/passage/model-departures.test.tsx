import { fromKnots } from "@open-metocean/geo/knots";
import { expect, it } from "vitest";
import type { ModelVerdict } from "#lib/contract/passage-reply.ts";
import { compareModels, modelVerdict } from "#lib/passage/model-agreement.ts";
import { parseInstant } from "#lib/time.ts";
import { metaOf, planOf } from "#test/passage.ts";
import { renderInPage } from "#test/render.tsx";
import { ModelDepartures } from "./model-departures.tsx";
import type { PassageAnswer } from "./passage-queries.ts";

const NOW = parseInstant("2026-09-15T12:00:00Z");
const named = ["gfs", "ecmwf"].map((name) => ({ name, title: name.toUpperCase() }));

/** Departures every three hours of two models. @param knots Winds of each model at each departure. */
function answerOf(knots: [number, number][]): PassageAnswer {
  const plans = named.flatMap(({ name: model }, index) =>
    knots.map((winds, at) => ({
      ...planOf(
        () => ({ Winds_10m_Intensity: fromKnots(winds[index]!), Winds_10m_Direction: 270 }),
        NOW + at * 3 * 3600,
      ),
      model,
      // The weather of this test has no sea.
      verdict: winds[index]! > 25 ? ("NO" as const) : ("GO" as const),
    })),
  );
  const count = knots.length;
  const says = (at: number): ModelVerdict[] =>
    named.map(({ name }, index) => modelVerdict(name, plans[index * count + at]!, 0, []));
  const comparison = knots.map((_, at) => compareModels(plans[at]!.departure, says(at)));
  const balanced = plans.map((_, at) => at);
  const meta = metaOf(plans);
  return {
    plans,
    meta: { ...meta, comparison, order: { ...meta.order, balanced } },
    readAt: NOW,
    isSaved: false,
    withStorms: true,
  };
}

const render = (knots: [number, number][]) =>
  renderInPage(
    <ModelDepartures
      answer={answerOf(knots)}
      models={named}
      order="balanced"
      chosen={undefined}
      onChoose={() => {}}
    />,
    { clock: { now: NOW } },
  );

it("all models agree: GO is said of a departure only where all of them say so, and that one is offered", () => {
  const html = render([
    [10, 40],
    [12, 14],
  ]);
  expect(html).toContain("Best: leave Tue 15 Sep 15:00");
  expect(html).toContain("All 2 models agree: GO");
  expect(html).toMatch(/<button[^>]*>Leave Tue 15 Sep 15:00<\/button>/);
  expect(html).toContain("Leave Tue 15 Sep 12:00: 1 of 2 models says GO, 1 says NO");
});

it("where they never agree, it says so, and which departure is nearest to it and who differs there", () => {
  const html = render([
    [40, 40],
    [12, 40],
  ]);
  expect(html).not.toContain("All 2 models agree: GO");
  expect(html).toContain("At no departure do all 2 models say GO");
  expect(html).toContain("Nearest to it: Tue 15 Sep 15:00. 1 of 2 models says GO, 1 says NO.");
  expect(html).toMatch(/<li>ECMWF: NO, True wind 40 kn, leg 1 \(Tue 15 Sep 15:15, .*<\/li>/);
});
