import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import { en } from "#lib/messages/generated/en.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { parseInstant } from "#lib/time.ts";
import { renderInPage } from "#test/render.tsx";
import { Provenance } from "./provenance.tsx";

const run = {
  dataset: "Forecast",
  model: "GFS 0.25°",
  reference_time: "2026-09-15T06:00:00Z",
} as DrawableRun;
const now = parseInstant("2026-09-15T12:00:00Z");
const shown = (of: DrawableRun, words = en) => {
  const steps = {
    run: of,
    before: "2026-09-15T12:00:00Z",
    after: "2026-09-15T12:00:00Z",
    later: 0,
    time: now,
  };
  const html = renderInPage(
    <Provenance
      title="Wind"
      steps={steps}
      reach={82}
      fixed={false}
      time={now}
      now={now}
      zone={{ ...utc, words }}
    />,
    { words },
  );
  return html.replaceAll(/<!-- -->|<[^>]+>/g, "");
};

it("begins with how old the forecast is and how far it reaches so far: a phone shows no more", () => {
  expect(shown(run)).toMatch(
    /^Wind: GFS 0\.25°, 6 h old, to T\+82 h · run Tue 15 Sep 06:00 UTC · valid Tue 15 /,
  );
});

it("a hindcast has no age that matters", () => {
  expect(shown({ ...run, dataset: "Hindcast-3M" })).toMatch(
    /^Wind: GFS 0\.25° · run Tue 15 Sep 06:00 UTC · /,
  );
});

it("has the order of a language", () => {
  expect(shown(run, ja)).toMatch(
    /^Wind：GFS 0\.25°、6時間前、T\+82時間まで · 初期時刻 .*06:00 UTC · 対象時刻 /,
  );
});
