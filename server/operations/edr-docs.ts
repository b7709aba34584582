import type { z } from "zod";
import { type EdrFormat, edrFormats } from "#lib/contract/edr.ts";
import { hourFrom } from "#lib/contract/examples.ts";
import {
  createdReply,
  idParameter,
  type Json,
  type OperationDocs,
  otherFormats,
  queryParameters,
  rateLimited,
  reply,
} from "#lib/contract/openapi.ts";
import type { ReplyName } from "#lib/contract/wire-schemas.ts";
import type { OperationDefinition } from "./definition.ts";

export const collectionPath = "/edr/collections/{collection_id}";
export const instancePath = `${collectionPath}/instances/{instance_id}`;

/** An operation on a collection, and the same on one of its instances. */
export function onCollectionAndInstance(
  define: (path: string, suffix: "" | "OfRun") => OperationDefinition,
): OperationDefinition[] {
  return [define(collectionPath, ""), define(instancePath, "OfRun")];
}

/** Parameters of a path. */
export function pathParameters(path: string): Json[] {
  const collection = {
    name: "collection_id",
    in: "path",
    required: true,
    description: "id of a collection",
    schema: { type: "string" },
    example: "forecast",
  };
  return [
    ...(path.includes("{collection_id}") ? [collection] : []),
    ...(path.includes("{instance_id}")
      ? [idParameter("instance_id", { operationId: "getEdrInstances", pointer: "/instances/0/id" })]
      : []),
  ];
}

/** Errors of every operation below /edr. */
export const edrErrorReplies = {
  "400": reply("The query breaks a rule", "EdrError"),
  "404": reply("No such collection, instance or item", "EdrError"),
};

interface EdrStatement extends Pick<OperationDocs, "operationId" | "summary" | "description"> {
  path: string;
  query?: z.ZodObject;
  formats: readonly EdrFormat[];
  mayBeTask: boolean;
}

/** What the OpenAPI document says of a query of data. */
export function edrDocs({ path, query, formats, mayBeTask, ...stated }: EdrStatement): OperationDocs {
  return {
    ...stated,
    errors: "EdrError",
    parameters: [...pathParameters(path), ...(query ? queryParameters(query) : [])],
    ...(query && { example: (now) => ({ parameters: { datetime: hourFrom(now, 6) } }) }),
    replies: {
      "200": {
        description: `The answer as ${formats.join(", ")}`,
        headers: rateLimited,
        content: otherFormats(formats.map((name) => edrFormats[name])),
      },
      ...(mayBeTask && createdReply),
      ...edrErrorReplies,
      "413": reply("More than one request may ask for", "EdrError"),
    },
  };
}

/** What it says of a description, which is JSON. */
export function edrJsonDocs(
  stated: Pick<OperationDocs, "operationId" | "summary" | "description">,
  path: string,
  query: z.ZodObject,
  schema: ReplyName,
): OperationDocs {
  return {
    ...stated,
    errors: "EdrError",
    parameters: [...pathParameters(path), ...queryParameters(query)],
    replies: { "200": reply(stated.summary, schema), ...edrErrorReplies },
  };
}
