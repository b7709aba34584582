import { useClock } from "#components/view-state/clock-context.ts";
import { keepShip, useShip } from "#components/view-state/ship-store.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { Fix } from "#lib/geo/dead-reckoning.ts";

interface Props {
  label: string;
  onKeep?(fix: Fix): void;
}

/** Puts the ship at the sampled point, now, with the course and speed it had; nothing without a point. */
export function ShipHere({ label, onKeep = keepShip }: Props) {
  const { view } = useView();
  const { now } = useClock();
  const { ship } = useShip();
  const place = view.p;
  if (!place || now === 0) return null;
  return (
    <button
      type="button"
      className="button px-3"
      onClick={() => onKeep({ ...place, course: ship?.course ?? 0, speed: ship?.speed ?? 0, time: now })}
    >
      {label}
    </button>
  );
}
