import { useAccess } from "#components/api-client/access.tsx";
import { useIsKeyRevoked } from "#components/api-client/api-key.tsx";
import { askForKey, forgetKey } from "#components/api-client/key-store.ts";

/** States that the key was revoked while it was in use, and what is then on the screen; nothing while it works. */
export function KeyNotice() {
  const { guests } = useAccess();
  if (!useIsKeyRevoked()) return null;
  return (
    <div
      role="status"
      className="notice-bar pointer-events-auto flex flex-wrap items-center justify-center gap-x-3 gap-y-1"
    >
      <p>
        Your API key is no longer accepted. What is shown was read before and may be old; nothing new is read.
      </p>
      <button type="button" className="button px-3" onClick={() => askForKey()}>
        Enter another key
      </button>
      {guests === "off" ? null : (
        <button type="button" className="button px-3" onClick={forgetKey}>
          Go on without a key
        </button>
      )}
    </div>
  );
}
