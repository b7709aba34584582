import { useEffect, useRef, useState } from "react";
import { MILE_KM } from "#lib/geo/sphere.ts";

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

const reasons: Readonly<Record<number, string>> = {
  1: "This browser was told not to give the position of the device. Allow it in its settings for this page, or type the position.",
  2: "This device does not know its position at the moment. Try again in the open, or type it.",
  3: "This device has not found its position within 30 seconds. Try again in the open, or type it.",
};

/**
 * Asks the device for its position, only when `ask` is called.
 *
 * @param onFound Called once for each asking that succeeds.
 * @returns `error`: why it did not, in words.
 */
export function useDevicePosition(onFound: (found: DevicePosition) => void) {
  const [state, setState] = useState<{ waiting: boolean; error?: string }>({ waiting: false });
  // The answer may come long after the question: clock and ship are those of then.
  const latest = useRef(onFound);
  useEffect(() => {
    latest.current = onFound;
  }, [onFound]);
  const ask = () => {
    // Browsers leave it out, or refuse it, on addresses without TLS.
    if (!window.isSecureContext || !navigator.geolocation) {
      const error =
        "Browsers give the position of the device to secure addresses (https) only. Type the position instead.";
      return setState({ waiting: false, error });
    }
    setState({ waiting: true });
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setState({ waiting: false });
        latest.current(positionOf(coords));
      },
      ({ code }) => setState({ waiting: false, error: reasons[code] ?? reasons[2] }),
      { enableHighAccuracy: true, timeout: PATIENCE_MS, maximumAge: 0 },
    );
  };
  return { ...state, ask };
}

type Coordinates = Pick<GeolocationCoordinates, "latitude" | "longitude" | "accuracy" | "heading" | "speed">;

/** What a browser reports, in our units: its speed is in m/s. */
export function positionOf({ latitude, longitude, accuracy, heading, speed }: Coordinates): DevicePosition {
  const knots = ((speed ?? 0) * 3.6) / MILE_KM;
  const moves = heading !== null && Number.isFinite(heading) && knots >= MIN_SPEED;
  return { latitude, longitude, accuracy, motion: moves ? { course: heading, speed: knots } : undefined };
}
