import { forgetKey } from "#components/api-client/key-store.ts";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";

/** Whether this tab has a key, and the way to another one. */
export function KeyStatus({ apiKey }: { apiKey: string | undefined }) {
  if (!apiKey) return null;
  return (
    <Menu align="right" label="API key" button={<Icon name="key" className="m-2 size-5" />}>
      <p className="mb-2 max-w-60 text-sm">
        This tab uses the key that ends in <code>{apiKey.slice(-4)}</code>. It is kept until the tab is
        closed, and is never part of a link.
      </p>
      <button type="button" className="toggle" onClick={forgetKey}>
        Use another key
      </button>
    </Menu>
  );
}
