import { modelTitle, type NamedModel } from "#components/api-client/listed-models.ts";
import { Verdict } from "#components/ui/verdict.tsx";
import { formatShortTime } from "#components/view-state/format-time.ts";
import type { PassageMeta } from "#lib/contract/passage-reply.ts";
import { type Order, sayings } from "#lib/passage/verdict.ts";
import { parseInstant } from "#lib/time.ts";
import { DepartureRow, DeparturesTable, TakeDeparture } from "./departures-table.tsx";
import { Differences, SayingBadge } from "./model-comparison.tsx";
import { agreementSentence } from "./model-words.ts";
import { usePassageStyle } from "./passage-format.tsx";
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
        {nearest ? (
          <TakeDeparture
            departure={nearest.departure}
            chosen={chosen}
            primary={best !== undefined}
            onTake={() => onChoose(nearest.departure)}
          />
        ) : null}
      </div>
      <DeparturesTable
        caption={text.caption}
        first={rows[0]?.departure}
        heads={rows[0]?.models.map(({ model }) => (
          <th key={model} scope="col">
            {modelTitle(models, model)}
          </th>
        ))}
      >
        {rows.map((row) => (
          <DepartureRow
            key={row.departure}
            departure={row.departure}
            chosen={chosen}
            verdict={agreementSentence(row, style)}
            onChoose={() => onChoose(row.departure)}
          >
            {row.models.map(({ model, says }) => (
              <td key={model}>
                <SayingBadge says={says} isShort />
              </td>
            ))}
          </DepartureRow>
        ))}
      </DeparturesTable>
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
