import { fromKnots } from "@open-metocean/geo/knots";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type NamedModel, windModelsQuery } from "#components/api-client/listed-models.ts";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { formatShortTime } from "#components/view-state/format-time.ts";
import type { ModelVerdict, PassageMeta } from "#lib/contract/passage-reply.ts";
import { parseInstant } from "#lib/time.ts";
import { numberIn } from "#lib/units.ts";
import { agreementSentence, differenceLines, type ModelPlan, modelPlans } from "./model-words.ts";
import {
  ABSENT,
  seaUnit,
  TableScroll,
  usePassageStyle,
  VerdictBadge,
  verdictMarks,
  windUnit,
} from "./passage-format.tsx";
import { type PassageAnswer, passageQuery } from "./passage-queries.ts";
import type { PassageBody } from "./passage-request.ts";

/** The models that a passage is compared in; empty until they are known, and if there is only one. */
export function useComparedModels(apiKey: string): readonly NamedModel[] {
  return useQuery(windModelsQuery(apiKey)).data ?? none;
}

const none: readonly NamedModel[] = [];

interface Props {
  models: readonly NamedModel[];
  /** The answer of all models for the departure. */
  query: UseQueryResult<PassageAnswer>;
}

/** Compares the verdicts of the models on the passage at its departure: a sentence, and a row for each. */
export function ModelComparison({ models, query }: Props) {
  const style = usePassageStyle();
  const { words } = style;
  const [compared] = query.data?.meta.comparison ?? [];
  return (
    <div className="space-y-1.5" aria-busy={query.isFetching}>
      <h3 className="font-semibold text-sm">{words.models.title}</h3>
      {query.error ? <ErrorMessage error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data && compared ? (
        <div data-old={query.isPlaceholderData || undefined}>
          <Differences compared={compared} plans={query.data.plans} models={models} />
          <ModelTable all={modelPlans(compared, query.data.plans, models)} meta={query.data.meta} />
        </div>
      ) : query.isFetching ? (
        <div className="skeleton h-24" aria-hidden="true" />
      ) : null}
    </div>
  );
}

/**
 * The answer of all models for one departure.
 *
 * @param body The request of the departure, without models; undefined while it changes.
 */
export function useModelsAnswer(
  apiKey: string,
  models: readonly NamedModel[],
  body: PassageBody | undefined,
) {
  const asked = body && { ...body, include_pieces: false, models: models.map(({ name }) => name) };
  return useQuery({
    ...passageQuery(apiKey, asked),
    enabled: asked !== undefined && models.length > 1,
    placeholderData: (before, last) => (last?.queryKey[1] === apiKey ? before : undefined),
  });
}

interface ComparedProps {
  compared: NonNullable<PassageMeta["comparison"]>[number];
  plans: PassageAnswer["plans"];
  models: readonly NamedModel[];
}

/** The models that do not say GO: why, where and when. */
export function Differences({ compared, plans, models }: ComparedProps) {
  const lines = differenceLines(modelPlans(compared, plans, models), usePassageStyle());
  return lines.length === 0 ? null : (
    <ul className="ml-4 list-disc text-sm">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

interface CheckedProps {
  apiKey: string;
  models: readonly NamedModel[];
  body: PassageBody;
}

/** Checks in all models a route that was found for one of them, or for the best of each variable. */
export function CheckedRoute({ apiKey, models, body }: CheckedProps) {
  const style = usePassageStyle();
  const { words } = style;
  const query = useModelsAnswer(apiKey, models, body);
  const [compared] = query.data?.meta.comparison ?? [];
  if (!query.data || !compared || query.isPlaceholderData) return null;
  return (
    <div>
      <p role="status" className="font-semibold text-sm">
        {words.models.checked({ count: models.length, text: agreementSentence(compared, style) })}
      </p>
      <Differences compared={compared} plans={query.data.plans} models={models} />
    </div>
  );
}

/** The numbers of the passage in each model, a row for each. */
function ModelTable({ all, meta }: { all: readonly ModelPlan[]; meta: PassageMeta }) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const { table } = words.leave;
  const [wind, sea] = [windUnit(style), seaUnit(style)];
  const speed = (knots: number | null) => (knots === null ? ABSENT : numberIn(fromKnots(knots), wind));
  const runOf = (model: string) =>
    meta.provenance.find(({ answer, variable }) => answer === model && variable === "wind")?.reference_time;
  const when = (instant: string | null | undefined) =>
    instant ? formatShortTime(parseInstant(instant), zone) : ABSENT;
  const heads: [title: string, unit: string][] = [
    [table.verdict, ""],
    [zone.words.catalog.layers.wind, wind.symbol],
    [table.gust, wind.symbol],
    [table.sea, sea.symbol],
    [table.arrival, zone.label(0)],
    [words.models.run, zone.label(0)],
  ];
  return (
    <TableScroll label={words.models.title}>
      <table className="passage-table model-table">
        <caption className="sr-only">{words.models.title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.models.model}</th>
            {heads.map(([title, unit]) => (
              <th key={title} scope="col">
                {title}
                <span className="unit">{unit}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {all.map(({ says, title }) => (
            <tr key={says.model}>
              <th scope="row">{title}</th>
              <td className="text-left!">
                <SayingBadge says={says.says} />
              </td>
              <td>{speed(says.max_wind_kt)}</td>
              <td>{speed(says.max_gust_kt)}</td>
              <td>{says.max_height_m === null ? ABSENT : numberIn(says.max_height_m, sea)}</td>
              <td>{when(says.arrival)}</td>
              <td>{when(runOf(says.model))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

/** The verdict of a model, or that it cannot say. @param isShort Whether only its mark is seen. */
export function SayingBadge({ says, isShort = false }: { says: ModelVerdict["says"]; isShort?: boolean }) {
  const { words } = usePassageStyle();
  if (says !== "cannot_say" && !isShort) return <VerdictBadge verdict={says} />;
  const word = says === "cannot_say" ? words.models.cannotSay : words.verdicts[says];
  return (
    <span className="passage-verdict" data-verdict={says} title={isShort ? word : undefined}>
      <span aria-hidden="true">{says === "cannot_say" ? "?" : verdictMarks[says]}</span>
      <span className={isShort ? "sr-only" : undefined}> {word}</span>
    </span>
  );
}
