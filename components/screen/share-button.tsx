import { CopyButton } from "#components/ui/copy-button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
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

/** The links that can be copied; nothing until the time of the map is known. */
export function ShareChoices() {
  const { zone } = useView();
  const { time, now } = useClock();
  if (time === undefined) return null;
  const otherwise = "Copy it from the address bar";
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-muted text-xs">Copy a link that shows</legend>
      <CopyButton className="toggle" text={() => linkAt(window.location.href, time)} otherwise={otherwise}>
        {`${formatShortTime(time, zone)} ${zone.label(time)}`}
      </CopyButton>
      <CopyButton
        className="toggle"
        text={() => linkAt(window.location.href, { afterNow: time - now })}
        otherwise={otherwise}
      >
        {describeOffset(time - now)}
      </CopyButton>
    </fieldset>
  );
}
