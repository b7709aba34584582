import { Countdown } from "#components/ui/error-message.tsx";
import { useView } from "#components/view-state/view-context.tsx";
import { useConnectionNotice } from "./connection-notice.tsx";
import { KeyNotice } from "./key-notice.tsx";
import { useScreen } from "./screen-context.tsx";
import { staleNotice } from "./stale-notice.ts";

/** Warnings about everything shown: the most serious one, and always that the data is invented. */
export function NoticeBar() {
  const connection = useConnectionNotice(useView().zone);
  const { synthetic, limitedUntil, steps, now } = useScreen();
  const stale = synthetic ? undefined : staleNotice(steps?.run, now);
  return (
    <>
      <KeyNotice />
      {synthetic ? (
        <div role="status" className="notice-bar">
          <strong>Synthetic demo data. Not a forecast. Not for navigation.</strong>{" "}
          <span className="max-sm:sr-only">
            Real forecasts: <code>FEEDS=lite npm start</code>
          </span>
        </div>
      ) : null}
      {limitedUntil !== undefined ? (
        <div role="status" className="notice-bar flex justify-center gap-1">
          <p>Too many requests.</p>
          <Countdown seconds={Math.max(1, Math.ceil((limitedUntil - Date.now()) / 1000))} />
        </div>
      ) : (
        (connection ??
        (stale && (
          <div role="status" className={`notice-bar ${stale.grave ? "grave" : ""}`}>
            {stale.text}
          </div>
        )))
      )}
    </>
  );
}
