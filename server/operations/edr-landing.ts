import { metadataQuery } from "#lib/contract/edr.ts";
import { openapiDocument30 } from "#lib/contract/openapi-3-0.ts";
import { conformance, landingPage, OPENAPI_3_0 } from "#lib/edr/metadata.ts";
import { jsonReply } from "#server/http/reply.ts";
import { checkerOf } from "#server/http/validation.ts";
import { countedOperation, type OperationDefinition } from "./definition.ts";
import { baseOf, cachedLinks } from "./edr-base.ts";
import { edrJsonDocs } from "./edr-docs.ts";
import { type Packed, packed } from "./packed.ts";

const MAX_DOCUMENTS = 8;
const check = checkerOf(metadataQuery, "query");

/** GET /edr: where everything of OGC API – EDR begins. No key. */
export const edrLanding = countedOperation(
  {
    group: "tasks",
    method: "GET",
    path: "/edr",
    docs: edrJsonDocs(
      {
        operationId: "getEdr",
        summary: "OGC API – Environmental Data Retrieval 1.1: landing page",
        description: "What POST /MetOcean and POST /2DMetOcean answer, for clients of the standard.",
      },
      "/edr",
      metadataQuery,
      "EdrLanding",
    ),
  },
  (request, context) => {
    check(Object.fromEntries(request.query));
    return jsonReply(200, landingPage(baseOf(request, context)), cachedLinks(context));
  },
);

/** GET /edr/conformance. No key. */
export const edrConformance = countedOperation(
  {
    group: "tasks",
    method: "GET",
    path: "/edr/conformance",
    docs: edrJsonDocs(
      { operationId: "getEdrConformance", summary: "Conformance classes" },
      "/edr/conformance",
      metadataQuery,
      "EdrConformance",
    ),
  },
  (request) => {
    check(Object.fromEntries(request.query));
    return jsonReply(200, conformance(), { "cache-control": "public, max-age=300" });
  },
);

/** GET /edr/api: the OpenAPI 3.0 document of what is below /edr. No key. */
export function edrApi(operations: () => readonly OperationDefinition[]): OperationDefinition {
  /** Making one takes 20 ms. By the address in it, of which the service has one or two. */
  const documents = new Map<string, Packed>();
  return countedOperation(
    {
      group: "tasks",
      method: "GET",
      path: "/edr/api",
      docs: {
        operationId: "getEdrApi",
        summary: "OpenAPI 3.0 document of /edr",
        errors: "EdrError",
        replies: {
          "200": {
            description: "The document",
            content: { "application/vnd.oai.openapi+json": { schema: { type: "object" } } },
          },
        },
      },
    },
    (request, context) => {
      const base = baseOf(request, context);
      let document = documents.get(base);
      if (document === undefined) {
        const below = operations().filter(({ path }) => path === "/edr" || path.startsWith("/edr/"));
        document = packed(JSON.stringify(openapiDocument30(context.version ?? "0", base, below)));
        // Whoever sends other names of hosts has them made again.
        if (documents.size >= MAX_DOCUMENTS) documents.clear();
        documents.set(base, document);
      }
      return document.reply(request, { ...cachedLinks(context), "content-type": OPENAPI_3_0 });
    },
  );
}
