import { AreaError, type AreaPlan, keepForGood, saveArea } from "#components/api-client/save-area.ts";
import type { SavedArea } from "#components/api-client/saved-areas.ts";
import { sharedState } from "#components/view-state/shared-state.ts";

/** The state of the saving of an area, or how it ended. */
export type AreaSaving =
  | { is: "idle" | "cancelled" | "full" | "lost" }
  | { is: "saving"; bytes: number; of: number; cancel(): void }
  /** @see isKept The browser promises not to delete it when the device is short of space. */
  | { is: "saved"; isKept: boolean }
  | { is: "failed"; error: Error };

/** One area is saved at a time; it goes on while other parts of the page are used. */
const saving = sharedState<{ state: AreaSaving }>({ state: { is: "idle" } });

export const useAreaSaving = (): AreaSaving => saving.use("state").state;

interface Request {
  key: string;
  plan: (signal: AbortSignal) => Promise<AreaPlan>;
  /** The area that this continues or replaces. */
  former: SavedArea | undefined;
  /** Reads the land of the area, which the browser then stores with the page. */
  readLand(plan: AreaPlan): Promise<void>;
}

export async function startSaving({ key, plan, former, readLand }: Request): Promise<void> {
  if (saving.current().state.is === "saving") return;
  const control = new AbortController();
  const { signal } = control;
  const cancel = () => control.abort();
  const change = (state: AreaSaving) => saving.change({ state });
  change({ is: "saving", bytes: 0, of: 0, cancel });
  try {
    const planned = await plan(signal);
    const { bytes: of } = planned;
    await saveArea(key, planned, {
      former,
      signal,
      now: Math.floor(Date.now() / 1000),
      onProgress: (bytes) => change({ is: "saving", bytes, of, cancel }),
    });
    await readLand(planned);
    change({ is: "saved", isKept: await keepForGood() });
    keepPages();
  } catch (error) {
    if (signal.aborted) change({ is: "cancelled" });
    else if (error instanceof AreaError) change({ is: error.why });
    else change({ is: "failed", error: error as Error });
  }
}

/** An area is of use only with the pages that show it. */
function keepPages(): void {
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage("keep all"));
}
