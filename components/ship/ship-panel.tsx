import { toKnots } from "@open-metocean/geo/knots";
import { type Fix, onNow, reckoned } from "@open-metocean/geo/rhumb";
import type { Place } from "@open-metocean/geo/sphere";
import { type ReactNode, use, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { ClockContext, useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { forgetShip, keepShip, readShip, tryShip, useShip } from "#components/view-state/ship-store.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { formatBearing, positionText } from "#lib/position.ts";
import { ShipForm } from "./ship-form.tsx";
import { fixWarning, formatAccuracy, formatFixAge, formatWay, ShipHere } from "./ship-live.tsx";

interface DevicePosition {
  latitude: number;
  longitude: number;
  /** 95 % radius, m. */
  accuracy: number;
  /** Degrees clockwise from north, and kn; undefined if the device does not know them, or hardly moves. */
  motion: { course: number; speed: number } | undefined;
}

/** Longest search, ms. */
const PATIENCE_MS = 30_000;

/** Below this speed the course of a receiver is noise, kn. */
const MIN_SPEED = 0.5;

type DeviceFailure = keyof Words["ship"]["device"]["failures"];

/** Failures by the code of a browser's error. */
const failures: Readonly<Record<number, DeviceFailure>> = { 1: "refused", 2: "unknown", 3: "late" };

/**
 * Requests the device's position, only when `ask` is called.
 *
 * @param onFound Called once for each successful request.
 * @returns `failure` is the reason why the last request failed.
 */
function useDevicePosition(onFound: (found: DevicePosition) => void) {
  const [state, setState] = useState<{ waiting: boolean; failure?: DeviceFailure }>({ waiting: false });
  const ask = () => {
    // On addresses without TLS browsers omit or refuse geolocation.
    if (!window.isSecureContext || !navigator.geolocation)
      return setState({ waiting: false, failure: "insecure" });
    setState({ waiting: true });
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setState({ waiting: false });
        onFound(positionOf(coords));
      },
      ({ code }) => setState({ waiting: false, failure: failures[code] ?? "unknown" }),
      { enableHighAccuracy: true, timeout: PATIENCE_MS, maximumAge: 0 },
    );
  };
  return { ...state, ask };
}

type Coordinates = Pick<GeolocationCoordinates, "latitude" | "longitude" | "accuracy" | "heading" | "speed">;

/** Converts a browser's report, in which speed is in m/s, to this service's units. */
export function positionOf({ latitude, longitude, accuracy, heading, speed }: Coordinates): DevicePosition {
  const knots = toKnots(speed ?? 0);
  const moves = heading !== null && Number.isFinite(heading) && knots >= MIN_SPEED;
  return { latitude, longitude, accuracy, motion: moves ? { course: heading, speed: knots } : undefined };
}

interface Props {
  /** The consequences of the storms for the ship; shown first. */
  verdict: ReactNode;
  /** Returns to the list of storms. */
  onBack(): void;
  /** Moves the map to a place. */
  onCentre(place: Place): void;
  /** Called when another course or speed is first tried. */
  onTry(): void;
  /** Shows the conditions at a place. */
  onSample(place: Place): void;
}

/** The ship of this device: its position, and controls to enter, change and forget it. */
export function ShipPanel(props: Props) {
  const { ship, forgotten } = useShip();
  const [editing, setEditing] = useState(false);
  const [accuracy, setAccuracy] = useState<number>();
  const clock = use(ClockContext);
  const { now } = clock.use("now");
  const heading = useRef<HTMLHeadingElement>(null);
  const words = useWords();
  /** When form and facts are exchanged, the pressed button disappears; the focus stays in the panel. */
  const turn = (toForm: boolean) => {
    setEditing(toForm);
    heading.current?.focus();
  };
  const keep = (fix: Fix) => {
    keepShip(fix);
    turn(false);
    setAccuracy(undefined);
    const { drawn, now } = clock.current();
    props.onCentre(reckoned(fix, drawn ?? now));
  };
  const device = useDevicePosition(({ latitude, longitude, accuracy, motion }) => {
    // The answer may arrive late, so it gets the clock and the ship of that time.
    const { course = 0, speed = 0 } = readShip().ship ?? {};
    const way = motion ?? { course, speed };
    keep({ latitude, longitude, ...way, time: clock.current().now });
    setAccuracy(accuracy);
  });
  const others = (
    <>
      <Button disabled={device.waiting || now === 0} onClick={device.ask}>
        {device.waiting ? words.ship.device.asking : words.ship.device.ask}
      </Button>
      <ShipHere label={words.ship.pinAtPoint} onKeep={keep} />
    </>
  );
  return (
    <section aria-label={words.ship.title} className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-3">
        <button type="button" className="toggle" onClick={props.onBack}>
          <Icon name="back" className="size-4" /> {words.storms.allStorms}
        </button>
        <h2 ref={heading} data-opened tabIndex={-1} className="font-semibold text-lg">
          {words.ship.title}
        </h2>
      </div>
      {ship && !editing ? (
        <Shown
          ship={ship}
          {...props}
          onEdit={() => turn(true)}
          onForget={() => {
            forgetShip();
            turn(false);
          }}
        >
          {others}
        </Shown>
      ) : (
        <>
          {ship ? null : <p className="text-muted text-sm">{words.ship.invitation}</p>}
          <ShipForm ship={ship} onKeep={keep} onCancel={ship && (() => turn(false))} />
          <div className="flex flex-wrap gap-2">
            {others}
            {!ship && forgotten ? (
              <Button onClick={() => keep(forgotten)}>{words.ship.bringBack}</Button>
            ) : null}
          </div>
        </>
      )}
      <p role="status" className="text-sm">
        {device.failure
          ? words.ship.device.failures[device.failure]
          : accuracy === undefined
            ? ""
            : formatAccuracy(accuracy, words)}
      </p>
    </section>
  );
}

/** If the map's time differs from now by more than this, it counts as another time, seconds. */
const OTHER_TIME_S = 1800;

interface ShownProps extends Props {
  ship: Fix;
  onEdit(): void;
  onForget(): void;
  /** Other ways to enter the ship. */
  children: ReactNode;
}

function Shown({ ship, verdict, onCentre, onTry, onSample, onEdit, onForget, children }: ShownProps) {
  const zone = useZone();
  const { now, drawn } = useClock("now", "drawn");
  const { words } = zone;
  const time = drawn ?? now;
  const position = (at: number) => {
    const { latitude, longitude } = reckoned(ship, at);
    return positionText(latitude, longitude);
  };
  const warning = now > 0 ? fixWarning(ship, now, words) : undefined;
  return (
    <>
      {verdict}
      {now > 0 ? <WhatIf ship={ship} now={now} onTry={onTry} /> : null}
      <div className="space-y-1 text-sm">
        <p className="font-semibold text-base tabular-nums">{position(now)}</p>
        <p>{formatWay(ship, words)}</p>
        {now > 0 ? <p className="text-muted">{formatFixAge(ship, now, zone)}</p> : null}
        {ship.speed > 0 && Math.abs(time - now) > OTHER_TIME_S ? (
          <p className="tabular-nums">
            {time < ship.time
              ? words.ship.mapBefore({ when: formatShortTime(time, zone) })
              : words.ship.mapAt({ when: formatShortTime(time, zone), position: position(time) })}
          </p>
        ) : null}
        {warning ? (
          <p role="status" className="notice-line">
            {warning}
          </p>
        ) : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onEdit}>{words.ship.edit}</Button>
        <Button onClick={() => onSample(reckoned(ship, time))}>{words.ship.conditions}</Button>
        <Menu label={words.ship.others} align="right" button="⋯">
          <div className="flex flex-col gap-2">
            <Button onClick={() => onCentre(reckoned(ship, time))}>{words.ship.centre}</Button>
            {children}
            <Button onClick={onForget}>{words.ship.forget}</Button>
          </div>
        </Menu>
      </div>
    </>
  );
}

/** Greatest speed of the slider, kn, unless the ship is faster. */
const FAST = 40;

/** Another course and speed from now on, which verdict and map follow. It ends when this panel closes. */
function WhatIf({ ship, now, onTry }: { ship: Fix; now: number; onTry(): void }) {
  const { tried } = useShip();
  const { ship: words, language } = useWords();
  const { whatIf } = words;
  const { course, speed } = tried ?? ship;
  useEffect(() => () => tryShip(undefined), []);
  const change = (part: Partial<Fix>) => {
    if (!tried) onTry();
    tryShip({ ...onNow(ship, now), course, speed, ...part });
  };
  return (
    <fieldset className="what-if">
      <legend className="font-semibold text-sm">{whatIf.title}</legend>
      <label>
        {whatIf.course({ course: formatBearing(course) })}
        <input
          type="range"
          min={0}
          max={355}
          step={5}
          value={course}
          onChange={({ target }) => change({ course: target.valueAsNumber })}
        />
      </label>
      <label>
        {whatIf.speed({ speed: formatNumber(speed, 1, language) })}
        <input
          type="range"
          min={0}
          max={Math.max(FAST, Math.ceil(ship.speed))}
          step={0.5}
          value={speed}
          onChange={({ target }) => change({ speed: target.valueAsNumber })}
        />
      </label>
      {tried ? (
        <button type="button" className="toggle" onClick={() => tryShip(undefined)}>
          {whatIf.reset}
        </button>
      ) : (
        <p className="text-muted text-xs">{whatIf.drag}</p>
      )}
    </fieldset>
  );
}
