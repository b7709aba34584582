import { useAccess, useIsKeyRevoked } from "#components/api-client/api-key.tsx";
import { askForKey, forgetKey } from "#components/api-client/key-store.ts";
import { useWords } from "#components/words/words-context.ts";

/** States that the key was revoked while it was in use, and what is then on the screen; nothing while it works. */
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
