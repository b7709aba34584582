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
  /** Title of what is drawn. */
  title: string;
  loading: boolean;
  error: Error | null | undefined;
  /** Nothing of this kind is in the archive. */
  empty: boolean;
  /** A feed that is on brings it. */
  awaited: boolean;
  /** The archive has it, but not at the time shown. */
  outside: boolean;
  /** The ingest source that would fill it. */
  source: string | undefined;
  onRetry(): void;
}

/** What the map is loading or lacks; nothing when all is well. */
export function MapNotice({ title, loading, error, empty, awaited, outside, source, onRetry }: Props) {
  const { map, screen } = useWords();
  if (error) {
    return (
      <div className="notice">
        <ErrorMessage error={error} onRetry={onRetry} />
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
            ingest: `npm run metocean -- ingest ${source ?? ""} --from <file>`,
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

/** States that this browser draws no map, and what works without. */
export function BrokenNotice() {
  const { map } = useWords();
  return (
    <p role="alert" className="notice">
      {map.broken}
    </p>
  );
}

/** A sentence whose commands, between backticks, are set as such. */
function withCode(sentence: string): ReactNode[] {
  return sentence.split("`").map((text, index) => (index % 2 === 1 ? <code key={text}>{text}</code> : text));
}

/** States that a link names a time beyond those that are answered. @param beyond On which side. */
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
  /** Title of what is drawn. */
  title: string;
  /** Its time, Unix seconds; undefined where it does not change with time. */
  time: number | undefined;
  zone: Zone;
}

/** States what is drawn, in grey or at night dimmed, and of when, while it is not what is wanted. */
export function OldFieldNotice({ title, time, zone }: OldFieldProps) {
  const { map } = zone.words;
  const field = time === undefined ? title : map.fieldOf({ title, time: formatZonedTime(time, zone) });
  return (
    <p role="status" className="notice" data-testid="old-field">
      <Sentence of={map.old} values={{ field: <strong>{field}</strong> }} />
    </p>
  );
}

interface LinesProps {
  lines: readonly SecondaryField<LinedVariable>[];
  onRetry(): void;
}

/** Which lines over the layer are switched on but missing, and why. */
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
