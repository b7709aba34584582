import { useApiKey, useIsKeyRemembered } from "#components/api-client/api-key.tsx";
import { GUEST } from "#components/api-client/guest.ts";
import { askForKey, forgetKey, rememberKey, shownKey } from "#components/api-client/key-store.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";

/** Which key this tab uses, and a way to forget it; for a visitor a way to enter one; nothing while there is none. */
export function KeyStatus() {
  const key = useApiKey();
  if (!key) return null;
  return (
    <Menu align="right" label="API key" button={<Icon name="key" className="m-2 size-5" />}>
      <KeyInUse />
    </Menu>
  );
}

/** The same without a menu of its own. */
export function KeyInUse() {
  const key = useApiKey();
  const remembered = useIsKeyRemembered();
  if (!key) return null;
  if (key === GUEST) return <Visitor />;
  return (
    <div className="w-60">
      <p className="mb-2 text-sm">
        This tab uses the key <code>{shownKey(key)}</code>.{" "}
        {remembered
          ? "It stays on this device until you forget it, and is never part of a link."
          : "It is kept until the tab is closed, and is never part of a link."}
      </p>
      <Checkbox checked={remembered} onChange={rememberKey}>
        Remember it on this device
      </Checkbox>
      <button type="button" className="toggle mt-1" onClick={forgetKey}>
        Forget this key
      </button>
    </div>
  );
}

function Visitor() {
  return (
    <div className="w-60">
      <p className="mb-2 text-sm">
        You read the map as a visitor, without an API key. Tasks and large requests need one.
      </p>
      <button type="button" className="toggle" onClick={() => askForKey()}>
        Enter an API key
      </button>
    </div>
  );
}
