import { type Fix, isPlanned, reckoned, STALE_FIX_S } from "@open-metocean/geo/rhumb";
import { MILE_KM } from "@open-metocean/geo/sphere";
import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { Zone } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatAge, formatMinutes, formatShortTime } from "#components/view-state/format-time.ts";
import { declineShip, keepShip, offerShip, useShip } from "#components/view-state/ship-store.ts";
import { useChangeView, useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { formatBearing, positionText } from "#lib/position.ts";

/** Accepts the ship of a link, asks if there is one already, and announces changes to screen readers. */
export function ShipLive() {
  const { ship: linked } = useView("ship");
  const changeView = useChangeView();
  const zone = useZone();
  const { ship, offered } = useShip();
  const words = useWords();
  useEffect(() => {
    if (!linked) return;
    offerShip(linked);
    changeView({ ship: null });
  }, [linked, changeView]);
  const [message, setMessage] = useState("");
  const before = useRef<{ ship: Fix | undefined }>(undefined);
  useEffect(() => {
    // A ship that existed when the page was opened is not announced.
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

/** Closing the dialog retains the ship of this device. */
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
        <Button primary className="px-4" onClick={declineShip}>
          {words.keep}
        </Button>
        <Button className="px-4" onClick={() => keepShip(offered)}>
          {words.take}
        </Button>
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

/** The ship's position, for the low panel of a phone. */
export function ShipPeek() {
  const { ship } = useShip();
  const { now } = useClock("now");
  const words = useWords();
  if (!ship) return <p className="text-muted text-sm">{words.ship.raise}</p>;
  const { latitude, longitude } = reckoned(ship, now);
  return (
    <p className="text-sm">
      <strong className="tabular-nums">{positionText(latitude, longitude)}</strong>
      <span className="block truncate text-muted text-xs">{formatWay(ship, words)}</span>
    </p>
  );
}

interface Props {
  label: string;
  onKeep?(fix: Fix): void;
}

/**
 * Sets the ship to the sampled point, now, with its previous course and speed; renders nothing without a
 * point.
 */
export function ShipHere({ label, onKeep = keepShip }: Props) {
  const view = useView("p");
  const { now } = useClock("now");
  const { ship } = useShip();
  const place = view.p;
  if (!place || now === 0) return null;
  return (
    <Button
      onClick={() => onKeep({ ...place, course: ship?.course ?? 0, speed: ship?.speed ?? 0, time: now })}
    >
      {label}
    </Button>
  );
}

/** Text such as `Position of Tue 15 Sep 06:12 UTC, 3 h ago.` */
export function formatFixAge({ time }: Fix, now: number, zone: Zone): string {
  return zone.words.ship.positionOf({
    when: formatShortTime(time, zone),
    clock: zone.label(time),
    age: formatMinutes(time, now, zone.words),
  });
}

/** Course and speed of the ship in words. */
export function formatWay(fix: Fix, words: Words): string {
  return fix.speed === 0 ? words.ship.atAnchor : words.ship.underWay(motionOf(fix, words));
}

function motionOf({ course, speed }: Fix, { language }: Words) {
  return { course: formatBearing(course), speed: formatNumber(speed, 1, language) };
}

/** A warning about the age of the position; undefined if there is none. */
export function fixWarning(fix: Fix, now: number, words: Words): string | undefined {
  const { time, speed } = fix;
  if (isPlanned(fix, now)) return words.ship.planned;
  if (now - time <= STALE_FIX_S) return undefined;
  const age = formatAge(time, now, words);
  return speed === 0 ? words.ship.oldAtAnchor({ age }) : words.ship.oldUnderWay({ age });
}

/** Announcement when the ship has changed. */
export function describeShip(fix: Fix | undefined, words: Words): string {
  const { said } = words.ship;
  if (!fix) return said.forgotten;
  const position = positionText(fix.latitude, fix.longitude);
  return fix.speed === 0 ? said.atAnchor({ position }) : said.underWay({ position, ...motionOf(fix, words) });
}

/** Possible error of a device's position. @param metres 95 % radius, as browsers report it. */
export function formatAccuracy(metres: number, { ship: { device }, language }: Words): string {
  if (metres >= MILE_KM * 1000)
    return device.accurateToMiles({ miles: formatNumber(metres / 1000 / MILE_KM, 1, language) });
  return device.accurateToMetres({ metres: String(Math.max(1, Math.round(metres))) });
}
