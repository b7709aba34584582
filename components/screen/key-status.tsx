import {
  useAccess,
  useApiKey,
  useIsKeyRemembered,
  useIsKeyRevoked,
} from "#components/api-client/api-key.tsx";
import { askForKey, forgetKey, rememberKey, shownKey } from "#components/api-client/key-store.ts";
import { GUEST } from "#components/api-client/saved-replies.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { Sentence } from "#components/words/sentence.tsx";
import { useWords } from "#components/words/words-context.ts";

/**
 * Shows the key that this tab uses, with a button to forget it; for a visitor a button to enter one; renders
 * nothing without a key.
 */
export function KeyStatus() {
  const key = useApiKey();
  const { access } = useWords();
  if (!key) return null;
  return (
    <Menu align="right" label={access.key.label} button={<Icon name="key" className="m-2 size-5" />}>
      <KeyInUse />
    </Menu>
  );
}

/** The same as `KeyStatus`, without its own menu. */
export function KeyInUse() {
  const key = useApiKey();
  const remembered = useIsKeyRemembered();
  const { access } = useWords();
  if (!key) return null;
  if (key === GUEST) return <Visitor />;
  return (
    <div className="w-60">
      <p className="mb-2 text-sm">
        <Sentence message={access.status.inUse} values={{ key: <code>{shownKey(key)}</code> }} />{" "}
        {remembered ? access.status.remembered : access.status.kept}
      </p>
      <Checkbox checked={remembered} onChange={rememberKey}>
        {access.key.remember}
      </Checkbox>
      <button type="button" className="toggle mt-1" onClick={forgetKey}>
        {access.status.forget}
      </button>
    </div>
  );
}

function Visitor() {
  const { status } = useWords().access;
  return (
    <div className="w-60">
      <p className="mb-2 text-sm">{status.visitor}</p>
      <button type="button" className="toggle" onClick={() => askForKey()}>
        {status.enter}
      </button>
    </div>
  );
}

/**
 * States that the key was revoked while in use, and what the screen shows then; renders nothing while the key
 * works.
 */
export function KeyNotice() {
  const { guests } = useAccess();
  const { key, revoked } = useWords().access;
  if (!useIsKeyRevoked()) return null;
  return (
    <div
      role="status"
      className="notice-bar pointer-events-auto flex flex-wrap items-center justify-center gap-x-3 gap-y-1"
    >
      <p>{revoked.text}</p>
      <button type="button" className="button px-3" onClick={() => askForKey()}>
        {revoked.enter}
      </button>
      {guests === "off" ? null : (
        <button type="button" className="button px-3" onClick={forgetKey}>
          {key.goOnWithout}
        </button>
      )}
    </div>
  );
}
