import { useEffect, useRef, useState } from "react";
import { Dialog } from "#components/ui/dialog.tsx";
import type { Zone } from "#components/view-state/civil.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { declineShip, keepShip, offerShip, useShip } from "#components/view-state/ship-store.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { Fix } from "#lib/geo/dead-reckoning.ts";
import { positionText } from "#lib/position.ts";
import { describeShip, formatWay } from "./format-ship.ts";

/** Takes the ship of a link, asks where there is one already, and tells screen readers of changes. */
export function ShipLive() {
  const { view, changeView, zone } = useView();
  const { ship, offered } = useShip();
  const { ship: linked } = view;
  const words = useWords();
  useEffect(() => {
    if (!linked) return;
    offerShip(linked);
    changeView({ ship: null });
  }, [linked, changeView]);
  const [message, setMessage] = useState("");
  const before = useRef<{ ship: Fix | undefined }>(undefined);
  useEffect(() => {
    // What was there when the page was opened is no change.
    if (before.current && before.current.ship !== ship) setMessage(describeShip(ship, words));
    before.current = { ship };
  }, [ship, words]);
  return (
    <>
      <p className="sr-only" aria-live="polite">
        {message}
      </p>
      {ship && offered ? <ShipChoice inUse={ship} offered={offered} zone={zone} /> : null}
    </>
  );
}

/** Closing it keeps the ship of this device. */
function ShipChoice({ inUse, offered, zone }: { inUse: Fix; offered: Fix; zone: Zone }) {
  const words = useWords().ship.choice;
  return (
    <Dialog title={words.title} onClose={declineShip}>
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
        <dt className="text-muted">{words.yours}</dt>
        <dd>
          <ShipLine fix={inUse} zone={zone} />
        </dd>
        <dt className="text-muted">{words.linked}</dt>
        <dd>
          <ShipLine fix={offered} zone={zone} />
        </dd>
      </dl>
      <p className="mt-3 text-muted text-sm">{words.explanation}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <button type="button" className="button primary px-4" onClick={declineShip}>
          {words.keep}
        </button>
        <button type="button" className="button px-4" onClick={() => keepShip(offered)}>
          {words.take}
        </button>
      </div>
    </Dialog>
  );
}

function ShipLine({ fix, zone }: { fix: Fix; zone: Zone }) {
  const line = zone.words.ship.choice.line({
    position: positionText(fix.latitude, fix.longitude),
    when: formatShortTime(fix.time, zone),
    way: formatWay(fix, zone.words),
  });
  return <span className="tabular-nums">{line}</span>;
}
