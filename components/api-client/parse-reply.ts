import { ServiceError } from "./service.ts";

/** Of zod, as far as it is needed. */
interface Schema<T> {
  safeParse(said: unknown): { success: true; data: T } | { success: false };
}

/** At sea the portal of a satellite link answers in the place of whom one asked. */
const strange = (status: number) =>
  new ServiceError(
    "This answer is not the service's: a portal in between may want something first, or the service is newer than this page. " +
      "Load the page again.",
    status,
  );

/** @throws ServiceError for what is no JSON. */
export async function jsonOf(reply: Response): Promise<unknown> {
  const text = await reply.text();
  try {
    return JSON.parse(text);
  } catch {
    throw strange(reply.status);
  }
}

/** What was said, by the contract. @throws ServiceError for anything else. */
export function parseReply<T>(said: unknown, schema: Schema<T>): T {
  const read = schema.safeParse(said);
  if (!read.success) throw strange(200);
  return read.data;
}
