import { ErrorMessage } from "#components/ui/error-message.tsx";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { overlayTitle } from "#components/view-state/overlays.ts";
import type { Zone } from "#components/view-state/zone.ts";
import type { LinedVariable } from "#lib/catalog/colours.ts";
import { timeWindow } from "#lib/catalog/datasets.ts";
import type { SecondaryField } from "./use-secondary-field.ts";

interface Props {
  /** Title of what is drawn. */
  title: string;
  loading: boolean;
  error: Error | null | undefined;
  /** Nothing of this kind is in the archive. */
  empty: boolean;
  /** The archive has it, but not at the time shown. */
  outside: boolean;
  /** The ingest source that would fill it. */
  source: string | undefined;
  onRetry(): void;
}

/** What the map is loading or lacks; nothing when all is well. */
export function MapNotice({ title, loading, error, empty, outside, source, onRetry }: Props) {
  const quantity = title.toLowerCase();
  if (error) {
    return (
      <div className="notice">
        <ErrorMessage error={error} onRetry={onRetry} />
      </div>
    );
  }
  if (empty) {
    return (
      <p role="status" className="notice">
        The archive has no {quantity} yet. Run{" "}
        <code>npm run metocean -- ingest {source} --from &lt;file&gt;</code> to fill it, or{" "}
        <code>FEEDS=standard npm start</code> to have forecasts fetched.
      </p>
    );
  }
  if (outside) {
    return (
      <p role="status" className="notice">
        The archive has no {quantity} for this time.
      </p>
    );
  }
  return loading ? (
    <p role="status" className="notice late">
      Loading {quantity}…
    </p>
  ) : null;
}

/** States that this browser draws no map, and what works without. */
export function BrokenNotice() {
  return (
    <p role="alert" className="notice">
      The map cannot be drawn: this browser has no WebGL 2. Conditions at a point are still shown for an
      address with <code>?p=latitude,longitude</code>.
    </p>
  );
}

/** States that a link names a time beyond those that are answered. @param beyond On which side. */
export function BeyondNotice({ beyond }: { beyond: "ahead" | "past" | undefined }) {
  if (!beyond) return null;
  const { daysAhead, yearsBack } = timeWindow;
  return (
    <p role="status" className="notice">
      {beyond === "ahead"
        ? `Forecasts are shown up to ${daysAhead} days ahead: the map stays at the last time.`
        : `The archive is shown up to ${yearsBack} years back: the map stays at the first time.`}
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
  const of = time === undefined ? "" : ` of ${formatShortTime(time, zone)} ${zone.label(time)}`;
  return (
    <p role="status" className="notice" data-testid="old-field">
      Old: <strong>{`${title}${of}`}</strong>
    </p>
  );
}

interface LinesProps {
  lines: readonly SecondaryField<LinedVariable>[];
  onRetry(): void;
}

/** Which lines over the layer are switched on but missing, and why. */
export function LinesNotice({ lines, onRetry }: LinesProps) {
  return lines.map(({ variable, absent }) =>
    absent ? (
      <div key={variable} className="notice flex flex-wrap items-center gap-2">
        <p role="status">
          {overlayTitle("isolines", variable)}:{" "}
          {absent === "outside" ? "the archive has none for this time." : "the server could not answer."}
        </p>
        {absent === "error" ? (
          <button type="button" className="button px-3" onClick={onRetry}>
            Try again
          </button>
        ) : null}
      </div>
    ) : null,
  );
}
