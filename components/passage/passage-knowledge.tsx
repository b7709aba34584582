import { formatZonedTime } from "#components/view-state/format-time.ts";
import { oldForecasts } from "#lib/forecast-age.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import type { PassageStyle } from "./passage-format.ts";
import type { PassageAnswer } from "./passage-queries.ts";

interface Props {
  answer: PassageAnswer;
  style: PassageStyle;
}

/** What a plan does not know, and where its weather is from: beside every plan. */
export function PassageKnowledge({ answer, style }: Props) {
  const { knowledge } = style.words;
  return (
    <section className="space-y-1 text-xs">
      <h3 className="font-semibold text-sm">{knowledge.title}</h3>
      <ul className="passage-knowledge">
        {knowledgeOf(answer.withStorms, style.words).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p className="text-muted">{sourcesOf(answer, style)}</p>
    </section>
  );
}

/** Which forecasts of a plan were old when it was worked out. */
export function OldForecasts({ answer, style }: Props) {
  return oldForecasts(answer.meta.provenance, style.zone.words).map((sentence) => (
    <p key={sentence} role="status" className="old-notice">
      {sentence}
    </p>
  ));
}

/** The sentences of the service, in the language of the page. */
export function knowledgeOf(
  withStorms: boolean,
  { knowledge: { list } }: Messages["passage"]["outlook"],
): string[] {
  const { storms, noStorms, ...always } = list;
  return [...Object.values(always), withStorms ? storms : noStorms];
}

/** The runs of the weather, and when it was worked out. */
export function sourcesOf({ meta, readAt }: PassageAnswer, { words, zone }: PassageStyle): string {
  // A model of which several runs answer is named once.
  const times = new Map<string, Set<string>>();
  for (const { model, reference_time } of meta.provenance) {
    const known = times.get(model) ?? new Set();
    if (reference_time !== null) known.add(reference_time.slice(0, 16).replace("T", " "));
    times.set(model, known);
  }
  const runs = [...times].map(([model, of]) =>
    of.size === 0 ? model : `${model} ${[...of].sort().join(", ")} UTC`,
  );
  return [
    ...(runs.length > 0 ? [words.knowledge.sources({ runs: runs.join("; ") })] : []),
    words.knowledge.at({ when: formatZonedTime(readAt, zone) }),
  ].join(zone.words.ui.joins.sentences);
}
