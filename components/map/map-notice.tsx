import type { ReactNode } from "react";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import type { Zone } from "#components/view-state/civil.ts";
import { formatZonedTime } from "#components/view-state/format-time.ts";
import { Sentence } from "#components/words/sentence.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { LinedVariable } from "#lib/catalog/colours.ts";
import { timeWindow } from "#lib/catalog/datasets.ts";
import { inSentence } from "#lib/messages/words.ts";
import type { SecondaryField } from "./use-secondary-field.ts";

interface Props {
  /** Title of the drawn variable. */
  title: string;
  loading: boolean;
  error: Error | null | undefined;
  /** The archive has no data of this variable. */
  empty: boolean;
  /** An active feed will provide it. */
  awaited: boolean;
  /** The archive has data, but not at the displayed time. */
  outside: boolean;
  /** The model that is shown alone; null for the source that stands first. */
  model: string | null;
  onRetry(): void;
  /** Shows the source that stands first instead of the model. */
  onBest(): void;
}

/** States what the map is loading or lacks; renders nothing if all is well. */
export function MapNotice({ title, loading, error, empty, awaited, outside, model, onRetry, onBest }: Props) {
  const { map, screen } = useWords();
  const best =
    model === null ? null : (
      <button type="button" className="button px-3" onClick={onBest}>
        {screen.model.best}
      </button>
    );
  if (error) {
    return (
      <div className="notice">
        <ErrorMessage error={error} onRetry={onRetry} />
        {best}
      </div>
    );
  }
  if (model !== null && (empty || outside)) {
    const say = empty ? map.modelEmpty : map.modelOutside;
    return (
      <div className="notice flex flex-wrap items-center gap-2">
        <p role="status">{say({ ...inSentence(title), model })}</p>
        {best}
      </div>
    );
  }
  if (empty && awaited) {
    return (
      <p role="status" className="notice">
        {map.awaited(inSentence(title))}{" "}
        <a href="/status" className="underline">
          {screen.pages.feeds}
        </a>
      </p>
    );
  }
  if (empty) {
    return (
      <p role="status" className="notice">
        {withCode(
          map.empty({
            ...inSentence(title),
            ingest: "npm run metocean -- ingest <source> --from <file>",
            feeds: "FEEDS=standard npm start",
          }),
        )}
      </p>
    );
  }
  if (outside) {
    return (
      <p role="status" className="notice">
        {map.outside(inSentence(title))}
      </p>
    );
  }
  return loading ? (
    <p role="status" className="notice late">
      {map.loading(inSentence(title))}
    </p>
  ) : null;
}

/** States that this browser cannot draw the map, and what works without it. */
export function BrokenNotice() {
  const { map } = useWords();
  return (
    <p role="alert" className="notice">
      {map.broken}
    </p>
  );
}

/** A sentence whose commands, between backticks, are formatted as code. */
function withCode(sentence: string): ReactNode[] {
  return sentence.split("`").map((text, index) => (index % 2 === 1 ? <code key={text}>{text}</code> : text));
}

/** States that a link names a time outside the accepted range. @param beyond Which side of the range. */
export function BeyondNotice({ beyond }: { beyond: "ahead" | "past" | undefined }) {
  const { map } = useWords();
  if (!beyond) return null;
  const { daysAhead, yearsBack } = timeWindow;
  return (
    <p role="status" className="notice">
      {beyond === "ahead" ? map.beyondAhead({ days: daysAhead }) : map.beyondPast({ years: yearsBack })}
    </p>
  );
}

interface OldFieldProps {
  /** Title of the drawn variable. */
  title: string;
  /** Its time, Unix seconds; undefined if it does not change with time. */
  time: number | undefined;
  zone: Zone;
}

/**
 * States which field of which time is drawn (in grey, or dimmed at night) while the requested one is not
 * available.
 */
export function OldFieldNotice({ title, time, zone }: OldFieldProps) {
  const { map } = zone.words;
  const field = time === undefined ? title : map.fieldOf({ title, time: formatZonedTime(time, zone) });
  return (
    <p role="status" className="notice" data-testid="old-field">
      <Sentence message={map.old} values={{ field: <strong>{field}</strong> }} />
    </p>
  );
}

interface LinesProps {
  lines: readonly SecondaryField<LinedVariable>[];
  onRetry(): void;
}

/** States which lines over the layer are switched on but missing, and why. */
export function LinesNotice({ lines, onRetry }: LinesProps) {
  const { catalog, map, ui } = useWords();
  return lines.map(({ variable, absent }) =>
    absent ? (
      <div key={variable} className="notice flex flex-wrap items-center gap-2">
        <p role="status">
          {(absent === "outside" ? map.linesOutside : map.linesFailed)({ title: catalog.lines[variable] })}
        </p>
        {absent === "error" ? (
          <button type="button" className="button px-3" onClick={onRetry}>
            {ui.tryAgain}
          </button>
        ) : null}
      </div>
    ) : null,
  );
}
