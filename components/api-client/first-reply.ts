import { loadedSchemas, loadSchemas, type Schemas } from "./load-schemas.ts";
import { parseReply, type Schema } from "./parse-reply.ts";

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
  const schemas = loadedSchemas() ?? (looksRight(Object(body)) ? undefined : await loadSchemas());
  return schemas ? parseReply(body, schemaOf(schemas)) : (body as T);
}
