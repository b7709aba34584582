/** Stands for the key of a visitor without one. No key has a space. */
export const GUEST = " guest";

let renewing: Promise<boolean> | undefined;

/**
 * Asks for another session of the page, once for all requests that wait for it. The session is a cookie, which no script
 * reads.
 *
 * @returns Whether there is one; false where this service lets no visitors in, or cannot be reached.
 */
export function renewGuestSession(): Promise<boolean> {
  renewing ??= fetch("/guests/session", { method: "POST" })
    .then(
      ({ ok }) => ok,
      () => false,
    )
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}
