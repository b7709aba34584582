import { GUTTER } from "#components/ui/chart.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { useDataUse } from "#components/view-state/device-setting.ts";
import { formatTime } from "#components/view-state/format-time.ts";
import { layers } from "#components/view-state/overlays.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import type { Words } from "#lib/messages/words.ts";
import { positionText } from "#lib/position.ts";
import type { Units } from "#lib/units.ts";
import { useMembersAt } from "./ensemble-query.ts";
import { type Conditions, formatValue, keyValues } from "./format-conditions.ts";
import { BandsNote, MembersSentence } from "./members-section.tsx";
import { layOut, MeteogramPicture } from "./meteogram.tsx";
import { OldConditions, runsText, usePointSample } from "./point-panel.tsx";
import type { PointSample, SeriesRow } from "./point-queries.ts";
import { useConditions } from "./use-conditions.ts";
import { useModels } from "./use-models.ts";

/** Width between the margins of A4, CSS pixels. */
const PAPER_WIDTH = 700;

/** Size of a meteogram with members, which has more rows, so that the map above it stays legible. */
const MEMBERS_SCALE = 0.8;

/**
 * Conditions at the sampled point for printing: values, meteogram and runs; renders nothing without a sampled
 * point.
 */
export function PrintedPoint() {
  const sample = usePointSample();
  return sample ? <Printed sample={sample} /> : null;
}

function Printed({ sample }: { sample: PointSample }) {
  const view = useView("u");
  const zone = useZone();
  const { words } = zone;
  const state = useConditions(sample);
  const { shown, series } = state;
  const { side } = useClock("side");
  const time = formatTime(shown?.time ?? sample.time, undefined, zone);
  return (
    <section className="printed-point">
      <h2 className="font-semibold">
        {positionText(sample.place.latitude, sample.place.longitude)} ·{" "}
        {side ? words.compare.of({ side: side.sampled, text: time }) : time}
      </h2>
      {shown ? (
        <>
          <OldConditions {...state} shown={shown} time={sample.time} />
          <p className="printed-values">
            {keyValues(shown.conditions, view.u, words).map(({ name, text }) => (
              <span key={name}>
                {name} <strong>{text}</strong>
              </span>
            ))}
          </p>
          {series.rows ? <PrintedMeteogram rows={series.rows} sample={sample} /> : null}
          <p className="printed-values">
            {otherValues(shown.conditions, view.u, words).map(({ title, text }) => (
              <span key={title}>
                {title} <strong>{text}</strong>
              </span>
            ))}
          </p>
          <p className="text-xs">{words.point.values({ runs: runsText(shown.meta, words) })}</p>
        </>
      ) : (
        <p>{words.point.notRead}</p>
      )}
    </section>
  );
}

function PrintedMeteogram({ rows, sample }: { rows: readonly SeriesRow[]; sample: PointSample }) {
  const view = useView("u", "models");
  const zone = useZone();
  const { models } = useModels(sample, view.models);
  const { ensemble } = useMembersAt(sample, useDataUse() === "full");
  const scale = ensemble ? MEMBERS_SCALE : 1;
  const width = PAPER_WIDTH / scale - GUTTER;
  const layout = layOut(rows, width, view.u, zone, { models, ensemble });
  return (
    <>
      {ensemble ? <MembersSentence ensemble={ensemble} /> : null}
      <div style={{ zoom: scale }}>
        <MeteogramPicture layout={layout} place={sample.place} width={width} zone={zone} time={sample.time} />
      </div>
      {ensemble && !models ? <BandsNote ensemble={ensemble} /> : null}
    </>
  );
}

/** Values of the variables without their own line. */
function otherValues(conditions: Conditions, units: Units, words: Words): { title: string; text: string }[] {
  return variableNames
    .filter((name) => !layers.first.some((first) => first === name || variable(name).mention?.in === first))
    .flatMap((name) =>
      variable(name).outputs.flatMap((output) => {
        const value = conditions[output.point];
        const text = typeof value === "number" ? formatValue(value, output, name, units, words) : undefined;
        return text === undefined ? [] : [{ title: words.catalog.outputs[output.point], text }];
      }),
    );
}
