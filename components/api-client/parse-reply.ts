import { ServiceError } from "./api-fetch.ts";

/** The part of a zod schema that is used here. */
export interface Schema<T> {
  safeParse(body: unknown): { success: true; data: T } | { success: false };
}

/** At sea the captive portal of a satellite link answers in place of the service. */
const unexpectedReply = (status: number) => new ServiceError({ is: "foreign" }, status);

/** @throws ServiceError for a body that is not JSON. */
export async function readJson(reply: Response): Promise<unknown> {
  const text = await reply.text();
  try {
    return JSON.parse(text);
  } catch {
    throw unexpectedReply(reply.status);
  }
}

/** The body of a reply, checked against the contract. @throws ServiceError for any other body. */
export function parseReply<T>(body: unknown, schema: Schema<T>): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw unexpectedReply(200);
  return parsed.data;
}
