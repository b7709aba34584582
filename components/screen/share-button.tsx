import { CopyButton } from "#components/ui/copy-button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";

<<<<<<< HEAD

import { TextField } from "#components/ui/text-field.tsx";
import { useShip } from "#components/view-state/ship-store.ts";
import { withShip } from "#components/view-state/ship-text.ts";

/** How long the message stands, ms. */
const MESSAGE_MS = 4000;

/** Copies the address: it holds the whole view, never the key, and the ship of this device only if the user says so. */
export function ShareButton() {
  const { ship } = useShip();
  if (!ship) return <CopyButton title="Copy link" address={() => window.location.href} />;
  const button = (
    <span className="flex items-center gap-1.5 px-2">
      <Icon name="share" className="size-4" /> Copy link
      <Icon name="down" className="size-4" />
    </span>
  );
  return (
    <Menu align="right" button={button}>
      <ShareChoices />
    </Menu>
  );
}

/** The same without a menu of its own. */
export function ShareChoices() {
  const { ship } = useShip();
  return (
    <div className="flex flex-col items-start gap-2">
      <CopyButton title={ship ? "Link without my ship" : "Copy link"} address={() => window.location.href} />
      {ship ? (
        <CopyButton title="Link with my ship" address={() => withShip(window.location.href, ship)} isShown />
      ) : null}
    </div>
  );
}

interface CopyProps {
  title: string;
  address(): string;
  /** The address is not that of the page: where it cannot be copied it is shown. */
  isShown?: boolean;
}

function CopyButton({ title, address, isShown }: CopyProps) {
  const [shown, setShown] = useState<string>();
  const [message, setMessage] = useState("");
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => setMessage(""), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = () => {
    // The clipboard needs a secure origin, which a service on a boat's own network may lack.
    const copied = navigator.clipboard?.writeText(address()) ?? Promise.reject(new Error("none"));
    copied.then(
      () => setMessage("Link copied"),
      () => (isShown ? setShown(address()) : setMessage("Copy it from the address bar")),
    );
  };
  if (shown !== undefined)
    return (
      <TextField
        label="The link with your ship, to copy"
        readOnly
        value={shown}
        onChange={setShown}
        onFocus={({ target }) => target.select()}
      />
    );
  return (
    <button type="button" className="button" onClick={copy}>
      <span className="flex items-center gap-1.5 px-2">
        <Icon name="share" className="size-4" />
        <span aria-live="polite">{message || title}</span>
      </span>
    </button>
=======
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
>>>>>>> f
  );
}
