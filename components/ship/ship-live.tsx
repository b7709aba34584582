import { useEffect, useRef, useState } from "react";
import { Dialog } from "#components/ui/dialog.tsx";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { declineShip, keepShip, offerShip, useShip } from "#components/view-state/ship-store.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { Zone } from "#components/view-state/zone.ts";
import type { Fix } from "#lib/geo/dead-reckoning.ts";
import { positionText } from "#lib/position.ts";
import { describeShip, formatWay } from "./format-ship.ts";

/** Takes the ship of a link, asks where there is one already, and tells screen readers of changes. */
export function ShipLive() {
  const { view, changeView, zone } = useView();
  const { ship, offered } = useShip();
  const { ship: linked } = view;
  useEffect(() => {
    if (!linked) return;
    offerShip(linked);
    changeView({ ship: null });
  }, [linked, changeView]);
  const [message, setMessage] = useState("");
  const before = useRef<{ ship: Fix | undefined }>(undefined);
  useEffect(() => {
    // What was there when the page was opened is no change.
    if (before.current && before.current.ship !== ship) setMessage(describeShip(ship));
    before.current = { ship };
  }, [ship]);
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
  return (
    <Dialog title="This link brings another ship" onClose={declineShip}>
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
        <dt className="text-muted">Your ship</dt>
        <dd>
          <ShipLine fix={inUse} zone={zone} />
        </dd>
        <dt className="text-muted">The link's ship</dt>
        <dd>
          <ShipLine fix={offered} zone={zone} />
        </dd>
      </dl>
      <p className="mt-3 text-muted text-sm">
        Storms are measured from your ship. With the link's ship they are measured from there, and yours is
        forgotten on this device.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <button type="button" className="button primary px-4" onClick={declineShip}>
          Keep my ship
        </button>
        <button type="button" className="button px-4" onClick={() => keepShip(offered)}>
          Take the link's ship
        </button>
      </div>
    </Dialog>
  );
}

function ShipLine({ fix, zone }: { fix: Fix; zone: Zone }) {
  return (
    <>
      <span className="tabular-nums">{positionText(fix.latitude, fix.longitude)}</span>,{" "}
      {formatShortTime(fix.time, zone)}. {formatWay(fix)}
    </>
  );
}
