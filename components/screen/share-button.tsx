import { useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { withShip } from "#components/view-state/ship-text.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { describeOffset, linkAt } from "./share-link.ts";

/** Copies a link to the view: to the time that is shown, or to one that moves with the clock. */
export function ShareButton() {
  return (
    <Menu
      align="right"
      button={
        <span className="flex items-center gap-1.5 px-2">
          <Icon name="share" className="size-4" />
          Copy link
        </span>
      }
    >
      <ShareChoices />
    </Menu>
  );
}

/**
 * The links that can be copied; nothing until the time of the map is known. They hold the whole view, never the key, and the
 * ship of this device only if the user says so.
 */
export function ShareChoices() {
  const { zone } = useView();
  const { time, now } = useClock();
  const { ship } = useShip();
  const [shipToo, setShipToo] = useState(false);
  if (time === undefined) return null;
  const isWithShip = shipToo && ship !== undefined;
  const address = () => (isWithShip ? withShip(window.location.href, ship) : window.location.href);
  // The address bar has no ship.
  const otherwise = isWithShip ? undefined : "Copy it from the address bar";
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-muted text-xs">Copy a link that shows</legend>
      <CopyButton className="toggle" text={() => linkAt(address(), time)} otherwise={otherwise}>
        {`${formatShortTime(time, zone)} ${zone.label(time)}`}
      </CopyButton>
      <CopyButton
        className="toggle"
        text={() => linkAt(address(), { afterNow: time - now })}
        otherwise={otherwise}
      >
        {describeOffset(time - now)}
      </CopyButton>
      {ship ? (
        <Checkbox checked={shipToo} onChange={setShipToo}>
          With my ship
        </Checkbox>
      ) : null}
    </fieldset>
  );
}
