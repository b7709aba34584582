import { useSyncExternalStore } from "react";
import {
  cancelLate,
  PATIENCE_MS,
  readConnection,
  subscribeToConnection,
} from "#components/api-client/send-request.ts";
import { utc, type Zone } from "#components/view-state/civil.ts";
import { formatClock, formatShortTime } from "#components/view-state/format-time.ts";
import { useOnline } from "#components/view-state/use-browser.ts";
import { useWords } from "#components/words/words-context.ts";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import { forecastAge, oldForecastText } from "#lib/forecast-age.ts";
import type { Words } from "#lib/messages/words.ts";
import { DAY_S, parseInstant } from "#lib/time.ts";

const answering = readConnection();

/** Whether the service answers and, if not, the age of the data; undefined while all is well. */
export function useConnectionNotice(zone: Zone) {
  const { savedAt, late } = useSyncExternalStore(subscribeToConnection, readConnection, () => answering);
  const online = useOnline();
  if (late && online) return <LateNotice />;
  if (online && savedAt === undefined) return undefined;
  return (
    <div role="status" className="notice-bar">
      {offlineText(online, savedAt, Date.now() / 1000, zone)}
    </div>
  );
}

/** @param savedAt When the oldest displayed data was saved, Unix seconds. @param now Unix seconds. */
export function offlineText(online: boolean, savedAt: number | undefined, now: number, zone: Zone): string {
  const { notices } = zone.words.screen;
  if (savedAt === undefined) return notices.offline;
  const written = now - savedAt < DAY_S / 2 ? formatClock(savedAt, zone) : formatShortTime(savedAt, zone);
  const time = `${written} ${zone.label(savedAt)}`;
  return online ? notices.unreachable({ time }) : notices.offlineSaved({ time });
}

function LateNotice() {
  const { notices } = useWords().screen;
  return (
    <div
      role="status"
      className="notice-bar pointer-events-auto flex flex-wrap items-center justify-center gap-x-3"
    >
      <p>{notices.late({ seconds: PATIENCE_MS / 1000 })}</p>
      <button type="button" className="button min-h-8 px-3" onClick={cancelLate}>
        {notices.cancel}
      </button>
    </div>
  );
}

/** The connection notice of pages that have no other notices. */
export function ConnectionNotice() {
  const words = useWords();
  return useConnectionNotice({ ...utc, words }) ?? null;
}

/**
 * Warns that the forecast on the map is old; undefined for a recent one and for other datasets. A grave
 * warning is red instead of amber.
 *
 * @param now Weather clock of the service, Unix seconds.
 * @param time Time of the map, Unix seconds.
 */
export function staleNotice(
  run:
    | Pick<DrawableRun, "dataset" | "source" | "condensed" | "rhythm" | "model" | "reference_time">
    | undefined,
  now: number,
  time: number | undefined,
  words: Words,
) {
  if (!run) return undefined;
  const base = parseInstant(run.reference_time);
  const age = forecastAge(run, base, now, time);
  if (!age?.isOld) return undefined;
  return { text: oldForecastText(age.hours, run.model, base, words), grave: age.isTooOld };
}
