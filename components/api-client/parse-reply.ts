import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { ServiceError } from "./api-fetch.ts";

interface Schema<T> {
  safeParse(body: unknown): { success: true; data: T } | { success: false };
}

/** The captive portal of a satellite link may answer in place of the service. */
const unexpectedReply = (status: number) => new ServiceError({ is: "foreign" }, status);

/** @throws ServiceError if the body is not JSON. */
export async function readJson(reply: Response): Promise<unknown> {
  const text = await reply.text();
  try {
    return JSON.parse(text);
  } catch {
    throw unexpectedReply(reply.status);
  }
}

/** Checks the body of a reply against the contract. @throws ServiceError for any other body. */
export function parseReply<T>(body: unknown, schema: Schema<T>): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw unexpectedReply(200);
  return parsed.data;
}

type Schemas = typeof import("./reply-schemas.ts").replySchemas;

let loaded: Schemas | undefined;

/**
 * Loads the schemas of replies. They are a sixth of the page's scripts, so they load with the first reply
 * that is not needed for the first field.
 *
 * @throws ServiceError if the service cannot be reached.
 */
export async function loadSchemas(): Promise<Schemas> {
  const { replySchemas } = await import("./reply-schemas.ts").catch((cause: unknown) => {
    throw new ServiceError({ is: "unreachable" }, 0, undefined, { cause });
  });
  loaded = replySchemas;
  return replySchemas;
}

/**
 * Checks the body of a reply against the contract if the schemas are loaded. The first replies come from the
 * server that has just sent this page; they are accepted without schemas if they look right. Later ones may
 * come from a newer server.
 *
 * @throws ServiceError for any other body, and if the schemas cannot be loaded.
 */
export async function checkReply<T>(
  body: unknown,
  looksRight: (body: Partial<T>) => boolean,
  schemaOf: (schemas: Schemas) => Schema<T>,
): Promise<T> {
  const schemas = loaded ?? (looksRight(Object(body)) ? undefined : await loadSchemas());
  return schemas ? parseReply(body, schemaOf(schemas)) : (body as T);
}

/** A manifest of fields. @throws ServiceError as `checkReply` does. */
export async function readManifest(reply: Response): Promise<FieldManifest> {
  return checkReply<FieldManifest>(
    await readJson(reply),
    ({ runs }) => Array.isArray(runs),
    ({ manifest }) => manifest,
  );
}
