import { ServiceError } from "./api-fetch.ts";

export type Schemas = typeof import("./reply-schemas.ts").replySchemas;

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

/** The schemas, if they have been loaded. */
export const loadedSchemas = (): Schemas | undefined => loaded;
