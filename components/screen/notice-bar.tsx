import { useSyncExternalStore } from "react";
import { Countdown } from "#components/ui/error-message.tsx";
import { DemoBar } from "./demo-bar.tsx";
import { staleNotice } from "./stale-notice.ts";
import type { Weather } from "./use-weather.ts";

/** What is to be known of all that is shown; the gravest alone, but that data is invented is always said. */
export function NoticeBar({ weather }: { weather: Weather }) {
  const online = useSyncExternalStore(
    listenToNetwork,
    () => navigator.onLine,
    () => true,
  );
  const { synthetic, limitedUntil, steps, now } = weather;
  const stale = synthetic ? undefined : staleNotice(steps?.run, now);
  return (
    <>
      {synthetic ? <DemoBar /> : null}
      {limitedUntil !== undefined ? (
        <div role="status" className="notice-bar flex justify-center gap-1">
          <p>Too many requests.</p>
          <Countdown seconds={Math.max(1, Math.ceil((limitedUntil - Date.now()) / 1000))} />
        </div>
      ) : online ? (
        stale && (
          <div role="status" className={`notice-bar ${stale.grave ? "grave" : ""}`}>
            {stale.text}
          </div>
        )
      ) : (
        <div role="status" className="notice-bar">
          Offline. What is shown was read before.
        </div>
      )}
    </>
  );
}

function listenToNetwork(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
