import { useApiKey } from "#components/api-client/api-key.tsx";
import { forgetKey, shownKey } from "#components/api-client/key-store.ts";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";

/** Which key this tab uses, and a way to forget it; nothing without a key. */
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
  if (!key) return null;
  return (
    <div className="w-60">
      <p className="mb-2 text-sm">
        This tab uses the key <code>{shownKey(key)}</code>. It is kept until the tab is closed, and is never
        part of a link.
      </p>
      <button type="button" className="toggle" onClick={forgetKey}>
        Forget this key
      </button>
    </div>
  );
}
