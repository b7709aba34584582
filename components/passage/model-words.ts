import { modelTitle, type NamedModel } from "#components/api-client/listed-models.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import type { ModelsAtDeparture, ModelVerdict, PassagePlan } from "#lib/contract/passage-reply.ts";
import { sayings } from "#lib/passage/verdict.ts";
import { positionText } from "#lib/position.ts";
import { parseInstant } from "#lib/time.ts";
import { type PassageStyle, shortDeciding } from "./passage-format.tsx";

/** `All 3 models agree: GO`, or how many say what: `2 of 3 models say GO, 1 cannot say`. */
export function agreementSentence(
  { agreed, models }: Pick<ModelsAtDeparture, "agreed" | "models">,
  { words, zone }: PassageStyle,
): string {
  const { models: text, verdicts } = words;
  const total = models.length;
  if (agreed) return text.agree({ count: total, verdict: verdicts[agreed] });
  const parts = sayings
    .map((says) => ({ says, count: models.filter((one) => one.says === says).length }))
    .filter(({ count }) => count > 0);
  return parts
    .map(({ says, count }, at) =>
      text.counts({
        isFirst: at === 0,
        count,
        total,
        says,
        verdict: says === "cannot_say" ? text.cannotSay : verdicts[says],
      }),
    )
    .join(zone.words.ui.joins.clauses);
}

/** A model beside its plan. */
export interface ModelPlan {
  says: ModelVerdict;
  plan: PassagePlan | undefined;
  title: string;
}

/** The verdict and the plan of each model for a departure. */
export function modelPlans(
  { departure, models }: ModelsAtDeparture,
  plans: readonly PassagePlan[],
  named: readonly NamedModel[],
): ModelPlan[] {
  return models.map((says) => ({
    says,
    plan: plans.find((plan) => plan.model === says.model && plan.departure === departure),
    title: modelTitle(named, says.model),
  }));
}

/** A line for each model that does not say GO, with reason, place and time; empty where all models agree on GO. */
export function differenceLines(all: readonly ModelPlan[], style: PassageStyle): string[] {
  const { words, zone } = style;
  return all.flatMap(({ says: { says, by, leg, at, unknown }, plan, title: name }) => {
    if (says === "GO") return [];
    if (says === "cannot_say") return [words.models.unknown({ name, why: unknownText(unknown, style) })];
    return [
      words.models.differs({
        name,
        verdict: words.verdicts[says],
        why: plan ? shortDeciding(plan, style) : causeText(by, style),
        leg: leg === null ? undefined : leg + 1,
        where: at
          ? words.deciding.at({
              when: formatShortTime(parseInstant(at.timestamp), zone),
              position: positionText(at.latitude, at.longitude),
            })
          : "",
      }),
    ];
  });
}

/** Names the cause that decided, without its number. */
export function causeText(by: ModelVerdict["by"], { words }: PassageStyle): string {
  const texts: Partial<Record<string, string>> = { ...words.causes, ...words.limits };
  return (by && texts[by]) ?? words.deciding.none;
}

/** The variables that a model does not know: `Waves: not in this model; Gusts: forecast ends before Thu 18:00`. */
function unknownText(unknown: ModelVerdict["unknown"], { words, zone }: PassageStyle): string {
  return unknown
    .map(({ variable, why, from }) =>
      words.models[why]({
        what: zone.words.catalog.layers[variable as keyof typeof zone.words.catalog.layers],
        when: from === null ? "" : formatShortTime(parseInstant(from), zone),
      }),
    )
    .join(zone.words.ui.joins.clauses);
}
