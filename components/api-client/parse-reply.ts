import { ServiceError } from "./api-fetch.ts";

interface Schema<T> {
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

type Schemas = typeof import("./reply-schemas.ts").replySchemas;

let loaded: Schemas | undefined;

/**
 * Schemas of the replies. They are a sixth of the page's scripts, so they are loaded with the first reply that is not
 * needed for the first field.
 *
 * @throws ServiceError when the service cannot be reached.
 */
export async function loadSchemas(): Promise<Schemas> {
  const { replySchemas } = await import("./reply-schemas.ts").catch((cause: unknown) => {
    throw new ServiceError({ is: "unreachable" }, 0, undefined, { cause });
  });
  loaded = replySchemas;
  return replySchemas;
}

/**
 * The body of a reply, checked against the contract where the schemas are loaded: the first replies come from the server
 * that has just sent this page, and do not wait for them if they look right. Later ones may come from a newer server.
 *
 * @throws ServiceError for any other body, and when the schemas cannot be loaded.
 */
export async function checkReply<T>(
  body: unknown,
  looksRight: (body: Partial<T>) => boolean,
  schemaOf: (schemas: Schemas) => Schema<T>,
): Promise<T> {
  const schemas = loaded ?? (looksRight(Object(body)) ? undefined : await loadSchemas());
  return schemas ? parseReply(body, schemaOf(schemas)) : (body as T);
}
