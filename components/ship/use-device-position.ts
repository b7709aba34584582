import { useEffect, useRef, useState } from "react";
import { toKnots } from "#lib/knots.ts";
import type { Words } from "#lib/messages/words.ts";

/** What a device knows of itself. */
export interface DevicePosition {
  latitude: number;
  longitude: number;
  /** Radius of 95 %, m. */
  accuracy: number;
  /** Degrees clockwise from north, and kn; undefined where it does not know them, or hardly moves. */
  motion: { course: number; speed: number } | undefined;
}

/** Longest search, ms. */
const PATIENCE_MS = 30_000;

/** Slower than this a receiver's course is noise, kn. */
const MIN_SPEED = 0.5;

/** Why a device has not given its position. */
type DeviceFailure = keyof Words["ship"]["device"]["failures"];

/** By the code of a browser's error. */
const failures: Readonly<Record<number, DeviceFailure>> = { 1: "refused", 2: "unknown", 3: "late" };

/**
 * Asks the device for its position, only when `ask` is called.
 *
 * @param onFound Called once for each asking that succeeds.
 * @returns `failure`: why it did not.
 */
export function useDevicePosition(onFound: (found: DevicePosition) => void) {
  const [state, setState] = useState<{ waiting: boolean; failure?: DeviceFailure }>({ waiting: false });
  // The answer may come long after the question: clock and ship are those of then.
  const latest = useRef(onFound);
  useEffect(() => {
    latest.current = onFound;
  }, [onFound]);
  const ask = () => {
    // Browsers leave it out, or refuse it, on addresses without TLS.
    if (!window.isSecureContext || !navigator.geolocation)
      return setState({ waiting: false, failure: "insecure" });
    setState({ waiting: true });
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setState({ waiting: false });
        latest.current(positionOf(coords));
      },
      ({ code }) => setState({ waiting: false, failure: failures[code] ?? "unknown" }),
      { enableHighAccuracy: true, timeout: PATIENCE_MS, maximumAge: 0 },
    );
  };
  return { ...state, ask };
}

type Coordinates = Pick<GeolocationCoordinates, "latitude" | "longitude" | "accuracy" | "heading" | "speed">;

/** What a browser reports, in our units: its speed is in m/s. */
export function positionOf({ latitude, longitude, accuracy, heading, speed }: Coordinates): DevicePosition {
  const knots = toKnots(speed ?? 0);
  const moves = heading !== null && Number.isFinite(heading) && knots >= MIN_SPEED;
  return { latitude, longitude, accuracy, motion: moves ? { course: heading, speed: knots } : undefined };
}
