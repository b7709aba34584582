import type { ReactNode } from "react";
import { Countdown } from "#components/ui/error-message.tsx";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { useConnectionNotice } from "./connection-notice.tsx";
import { KeyNotice } from "./key-notice.tsx";
import { useScreen } from "./screen-context.tsx";
import { staleNotice } from "./stale-notice.ts";

/** Warnings about everything shown: of the key, that the data is invented, and those of `MapWarnings`. */
export function NoticeBar() {
  const { zone } = useView();
  const { notices } = zone.words.screen;
  const connection = useConnectionNotice(zone);
  const { synthetic, limitedUntil, steps, now } = useScreen();
  const stale = synthetic ? undefined : staleNotice(steps?.run, now, steps?.time, zone.words);
  return (
    <>
      <KeyNotice />
      {synthetic ? (
        <div role="status" className="notice-bar">
          <strong>{notices.synthetic}</strong>{" "}
          <span className="max-sm:sr-only">
            {notices.realForecasts} <code>FEEDS=lite npm start</code>
          </span>
        </div>
      ) : null}
      <MapWarnings
        limit={limitedUntil === undefined ? undefined : <LimitNotice until={limitedUntil} />}
        connection={connection}
        stale={stale}
      />
    </>
  );
}

interface Warnings {
  limit: ReactNode;
  connection: ReactNode;
  stale: ReturnType<typeof staleNotice>;
}

/** One warning, the most urgent one; but no other hides that the forecast is too old. */
export function MapWarnings({ limit, connection, stale }: Warnings) {
  const other = limit ?? connection;
  return (
    <>
      {stale && (stale.grave || !other) ? (
        <div role="status" className={`notice-bar ${stale.grave ? "grave" : ""}`}>
          {stale.text}
        </div>
      ) : null}
      {other}
    </>
  );
}

/** @param until When the next request may be sent, ms since 1970. */
function LimitNotice({ until }: { until: number }) {
  const { faults } = useWords().access;
  return (
    <div role="status" className="notice-bar flex justify-center gap-1">
      <p>{faults.limited}</p>
      <Countdown seconds={Math.max(1, Math.ceil((until - Date.now()) / 1000))} />
    </div>
  );
}
