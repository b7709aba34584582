import { modelTitle, type NamedModel } from "#components/api-client/listed-models.ts";
import { Button } from "#components/ui/button.tsx";
import { Verdict } from "#components/ui/verdict.tsx";
import { formatShortTime } from "#components/view-state/format-time.ts";
import type { PassageMeta } from "#lib/contract/passage-reply.ts";
import { type Order, sayings } from "#lib/passage/verdict.ts";
import { parseInstant } from "#lib/time.ts";
import { Differences, SayingBadge } from "./model-comparison.tsx";
import { agreementSentence } from "./model-words.ts";
import { TableScroll, usePassageStyle } from "./passage-format.tsx";
import type { PassageAnswer } from "./passage-queries.ts";

type AtDeparture = NonNullable<PassageMeta["comparison"]>[number];

interface Props {
  answer: PassageAnswer;
  models: readonly NamedModel[];
  order: Order;
  /** Departure of the plan, which is highlighted. */
  chosen: string | undefined;
  onChoose(departure: string): void;
}

/** The departures in all models: the best one on which all agree, and what each model says about each. */
export function ModelDepartures({ answer, models, order, chosen, onChoose }: Props) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const { leave, models: text } = words;
  const rows = answer.meta.comparison ?? [];
  const count = rows[0]?.models.length ?? 0;
  const [best] = byWorst(
    answer,
    rows.filter(({ agreed }) => agreed === "GO"),
    order,
  );
  const nearest = best ?? nearestToGo(rows);
  const when = (departure: string) => formatShortTime(parseInstant(departure), zone);
  return (
    <>
      <div className="space-y-2" role="status">
        {best ? (
          <Verdict
            tone="ok"
            title={leave[order === "latest" ? "latestOne" : "bestOne"]({ when: when(best.departure) })}
          >
            <p>{agreementSentence(best, style)}</p>
          </Verdict>
        ) : (
          <Verdict tone="caution" title={text.noneAgreed({ count })}>
            {nearest ? (
              <>
                <p>
                  {text.nearest({ when: when(nearest.departure), text: agreementSentence(nearest, style) })}
                </p>
                <Differences compared={nearest} plans={answer.plans} models={models} />
              </>
            ) : null}
          </Verdict>
        )}
        {nearest?.departure === chosen ? (
          <p className="text-sm">{nearest ? leave.taken({ when: when(nearest.departure) }) : ""}</p>
        ) : nearest ? (
          <Button primary={best !== undefined} onClick={() => onChoose(nearest.departure)}>
            {leave.take({ when: when(nearest.departure) })}
          </Button>
        ) : null}
      </div>
      <TableScroll label={text.caption}>
        <table className="passage-table">
          <caption className="sr-only">{text.caption}</caption>
          <thead>
            <tr>
              <th scope="col">
                {leave.table.departure}
                <span className="unit">{zone.label(parseInstant(rows[0]?.departure ?? "") || 0)}</span>
              </th>
              {rows[0]?.models.map(({ model }) => (
                <th key={model} scope="col">
                  {modelTitle(models, model)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.departure} className={row.departure === chosen ? "shown" : undefined}>
                <th scope="row">
                  <button
                    type="button"
                    aria-pressed={row.departure === chosen}
                    aria-label={leave.table.choose({
                      when: when(row.departure),
                      verdict: agreementSentence(row, style),
                    })}
                    onClick={() => onChoose(row.departure)}
                  >
                    {when(row.departure)}
                  </button>
                </th>
                {row.models.map(({ model, says }) => (
                  <td key={model}>
                    <SayingBadge says={says} isShort />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      <p aria-hidden="true" className="flex flex-wrap gap-x-3 gap-y-1 text-muted text-xs">
        {sayings.map((says) => (
          <span key={says}>
            <SayingBadge says={says} />
          </span>
        ))}
      </p>
    </>
  );
}

/**
 * Departures by the model in which each of them stands worst: the first one stands well in the orders of all models.
 *
 * @param order One of the orders that the service gives for each model.
 */
export function byWorst(
  { plans, meta }: Pick<PassageAnswer, "plans" | "meta">,
  rows: readonly AtDeparture[],
  order: Order,
): AtDeparture[] {
  const worst = new Map<string, number>();
  const seen = new Map<string | undefined, number>();
  for (const position of meta.order[order]) {
    const { model, departure } = plans[position]!;
    const place = seen.get(model) ?? 0;
    seen.set(model, place + 1);
    worst.set(departure, Math.max(place, worst.get(departure) ?? 0));
  }
  return rows.toSorted((one, other) => worst.get(one.departure)! - worst.get(other.departure)!);
}

/** The first departure at which most models say GO, or else CAUTION, with the fewest NO; undefined if none says either. */
export function nearestToGo(rows: readonly AtDeparture[]): AtDeparture | undefined {
  const count = ({ models }: AtDeparture, wanted: string) =>
    models.filter(({ says }) => says === wanted).length;
  return rows
    .filter((row) => count(row, "GO") + count(row, "CAUTION") > 0)
    .toSorted(
      (one, other) =>
        count(other, "GO") - count(one, "GO") ||
        count(other, "CAUTION") - count(one, "CAUTION") ||
        count(one, "NO") - count(other, "NO"),
    )[0];
}
