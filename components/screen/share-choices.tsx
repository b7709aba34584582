import { useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatZonedTime } from "#components/view-state/format-time.ts";
import { useShip, withShip } from "#components/view-state/ship-store.ts";
import { type ShownTime, writeShownTime } from "#components/view-state/timeline.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import type { Words } from "#lib/messages/words.ts";
import { HOUR_S } from "#lib/time.ts";

/**
 * The links that can be copied; renders nothing until the time of the map is known. They contain the whole
 * view, never the key, and the ship of this device only if the user agrees.
 */
export function ShareChoices() {
  const zone = useZone();
  const { link } = zone.words.screen;
  const { time, now } = useClock("time", "now");
  const { ship } = useShip();
  const [shipToo, setShipToo] = useState(false);
  if (time === undefined) return null;
  const isWithShip = shipToo && ship !== undefined;
  const address = () => (isWithShip ? withShip(window.location.href, ship) : window.location.href);
  // The address in the address bar does not contain the ship.
  const otherwise = isWithShip ? undefined : link.fromAddress;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-muted text-xs">{link.shows}</legend>
      <CopyButton className="toggle" text={() => linkAt(address(), time)} otherwise={otherwise}>
        {formatZonedTime(time, zone)}
      </CopyButton>
      <CopyButton
        className="toggle"
        text={() => linkAt(address(), { afterNow: time - now })}
        otherwise={otherwise}
      >
        {describeOffset(time - now, zone.words)}
      </CopyButton>
      {ship ? (
        <Checkbox checked={shipToo} onChange={setShipToo}>
          {link.withShip}
        </Checkbox>
      ) : null}
    </fieldset>
  );
}

/**
 * An address with a time and without its fragment, which may contain a key.
 *
 * @param address Address of the page.
 */
export function linkAt(address: string, time: ShownTime): string {
  const link = new URL(address);
  link.hash = "";
  link.searchParams.set("t", writeShownTime(time));
  // Colons and commas stay unescaped, as in addresses that the page writes.
  return link.href.replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** Describes a link with a time offset: `Always 18 h from now`. @param seconds Time after now. */
export function describeOffset(seconds: number, { screen: { link } }: Words): string {
  const hours = Math.round(seconds / HOUR_S);
  if (hours === 0) return link.now;
  return hours > 0 ? link.ahead({ hours }) : link.ago({ hours: -hours });
}
