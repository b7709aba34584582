import { useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { GUTTER } from "#components/ui/chart.ts";
import { formatZonedTime } from "#components/view-state/format-time.ts";
import type { PlanWithVessel } from "#lib/contract/passage.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { limitNames } from "#lib/passage/limits.ts";
import { parseInstant } from "#lib/time.ts";
import { layOutPassage, PassageChartPicture } from "./passage-chart.tsx";
import { knowledgeOf, OldForecasts, sourcesOf, stormLines, totalsOf } from "./passage-facts.tsx";
import { formatDeciding, formatVessel, limitText, usePassageStyle, VerdictBadge } from "./passage-format.tsx";
import type { PassageAnswer } from "./passage-queries.ts";
import { type ColumnId, PassageTable, useShownColumns, usualColumns } from "./passage-table.tsx";

interface Props {
  plan: PlanWithVessel;
  answer: PassageAnswer;
}

/**
 * Width at which the chart is drawn, CSS pixels. It is reduced to the width of the page, which leaves space
 * for the table.
 */
const CHART_WIDTH = 960 - GUTTER;

const printedColumns: readonly ColumnId[] = usualColumns;

export function PrintedPassage(props: Props) {
  const [sheet, setSheet] = useState<Element | null>(null);
  useEffect(() => {
    // The page is printed as soon as the listeners have returned, so rendering must be synchronous.
    const begin = () => flushSync(() => setSheet(document.querySelector(".print-sheet")));
    const end = () => setSheet(null);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, []);
  const [evaluated] = props.answer.plans;
  return sheet && evaluated ? createPortal(<Printed {...props} evaluated={evaluated} />, sheet) : null;
}

function Printed({ plan, answer, evaluated }: Props & { evaluated: PassagePlan }) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const { meta } = answer;
  const { mode } = useShownColumns();
  const limits = limitNames.flatMap((name) => {
    const value = meta.limits[name];
    return value === null || value === undefined
      ? []
      : [words.print.limit({ what: words.limits[name], value: limitText(name, value, style) })];
  });
  const storms = stormLines(evaluated, style).map(({ text }) => text);
  return (
    <>
      <section className="printed-verdict">
        <h2 className="font-semibold">
          {words.print.heading({ name: plan.name || undefined })} ·{" "}
          {formatZonedTime(parseInstant(evaluated.departure), zone)}
        </h2>
        <p>
          <VerdictBadge verdict={evaluated.verdict} /> {formatDeciding(evaluated, style)}
        </p>
        <p className="printed-values">
          {totalsOf(evaluated, answer.meta, plan.vessel.kind, style).map(([title, text]) => (
            <span key={title}>
              {title} <strong>{text}</strong>
            </span>
          ))}
        </p>
      </section>
      <section className="printed-passage">
        <PassageChartPicture
          layout={layOutPassage(evaluated, meta, CHART_WIDTH, style)}
          width={CHART_WIDTH}
        />
        <PassageTable route={plan.route} plan={evaluated} meta={meta} mode={mode} shown={printedColumns} />
        <p className="text-xs">
          {words.print.vessel({ what: formatVessel(plan.vessel, style) })}{" "}
          {words.print.limits({ list: limits.join(", ") })} {storms.join(" ")}
        </p>
        <OldForecasts answer={answer} />
        <p className="text-xs">
          {knowledgeOf(answer, words).join(" ")} {sourcesOf(answer, style)}
        </p>
      </section>
    </>
  );
}
