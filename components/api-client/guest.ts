/** Stands for the key of a visitor without one. No key has a space. */
export const GUEST = " guest";

/** There is another session; this service lets no visitors in; or none can be had just now. */
type Renewal = "done" | "refused" | "later";

/** What a service answers that lets no visitors in: any other failure may pass, as an outage or a limit does. */
const refusals = [403, 404, 405];

let renewing: Promise<Renewal> | undefined;

/**
 * Asks for another session of the page, once for all requests that wait for it. The session is a cookie, which no script
 * reads.
 */
export function renewGuestSession(): Promise<Renewal> {
  renewing ??= fetch("/guests/session", { method: "POST" })
    .then(
      ({ ok, status }): Renewal => (ok ? "done" : refusals.includes(status) ? "refused" : "later"),
      (): Renewal => "later",
    )
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}
