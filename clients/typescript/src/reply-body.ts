import { ConnectionError, UnexpectedReplyError } from "./errors.ts";

/** The text of a reply. @throws ConnectionError where the connection breaks; the reason of the signal when that aborts */
export const textOf = (reply: Response): Promise<string> => reply.text().catch(rethrow);

/** The bytes of a reply. @throws As `textOf`. */
export const bytesOf = async (reply: Response): Promise<Uint8Array> =>
  new Uint8Array(await reply.arrayBuffer().catch(rethrow));

/** The JSON of a reply. @throws As `textOf`; UnexpectedReplyError for a body that is not JSON */
export async function jsonOf(reply: Response): Promise<unknown> {
  const text = await textOf(reply);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedReplyError("The reply is not JSON: something in between has answered", { cause });
  }
}

/** `fetch` reports a broken connection as a TypeError, and an abort as the reason of the signal. */
function rethrow(cause: unknown): never {
  if (!(cause instanceof TypeError)) throw cause;
  throw new ConnectionError("The connection broke while the reply arrived", { cause });
}
