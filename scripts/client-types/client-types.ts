import { mapMediaTypes, passageMediaTypes, pointMediaTypes } from "#lib/contract/media-types.ts";
import { replySchemas, requestSchemas } from "#lib/contract/wire-schemas.ts";
import { declarationsOf } from "./declarations.ts";
import type { JsonSchema } from "./type-of.ts";

/** The files of `clients/typescript/src/contract` as the contract is now, by name. */
export function clientTypes(): Map<string, string> {
  return declarationsOf({ ...requestSchemas(), ...replySchemas() } as Record<string, JsonSchema>, {
    PointMediaType: pointMediaTypes,
    MapMediaType: mapMediaTypes,
    PassageMediaType: passageMediaTypes,
  });
}
