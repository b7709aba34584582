import { ServiceError } from "./service.ts";

type Replies = typeof import("./replies.ts").replies;

let loaded: Replies | undefined;

/**
 * Schemas of the replies. They are a sixth of the page's scripts, so they are loaded when the first reply is on its way
 * that is not part of the way to the first field.
 *
 * @throws ServiceError when the service cannot be reached.
 */
export async function loadReplies(): Promise<Replies> {
  const { replies } = await import("./replies.ts").catch((cause: unknown) => {
    throw new ServiceError("The server could not be reached.", 0, undefined, { cause });
  });
  loaded = replies;
  return replies;
}

/** The schemas if they are here already. */
export const repliesAtHand = (): Replies | undefined => loaded;
