import { Legend } from "#components/legend/legend.tsx";
import { PointPanel } from "#components/point/point-panel.tsx";
import { pointQuery } from "#components/point/point-queries.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { paintedOutput } from "#lib/catalog/colours.ts";
import { formatInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";

const time = Date.UTC(2026, 0, 1) / 1000;
const place = { latitude: 48.5, longitude: -5.25 };

/** Legend and panel of a layer whose value is 17 000 there, as a page shows them. */
export function rendered(layer: DrawnVariable): { legend: string; panel: string } {
  const coordinates = { ...place, timestamp: formatInstant(time) };
  const conditions = { [paintedOutput(layer).point]: 17_000 };
  const reply = { results: [{ coordinates, conditions }], meta: { provenance: [], nulls: [] } };
  const panel = (
    <PointPanel waiting={false} loadLand={() => new Promise(() => undefined)} onPlace={() => undefined} />
  );
  return {
    legend: renderInPage(
      <Legend layer={layer} theme="light" old={false} units={defaultUnits} onUnits={() => undefined} />,
    ),
    panel: renderInPage(panel, {
      clock: { now: time, time },
      search: "p=48.5,-5.25",
      cache: filledCache(pointQuery({ apiKey: TEST_KEY, place, time }), reply),
    }),
  };
}
