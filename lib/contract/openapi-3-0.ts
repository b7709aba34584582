import { type Json, type OperationDescription, openapiDocument } from "./openapi.ts";

/**
 * Some operations as an OpenAPI 3.0 document, for clients that read no newer one. What 3.1 says otherwise is rewritten:
 * lists of types, `const`, exclusive bounds, several examples.
 *
 * @param base Address of the service.
 */
export function openapiDocument30(
  version: string,
  base: string,
  operations: readonly OperationDescription[],
): Json {
  const { openapi: _version, components, ...document } = openapiDocument(version, operations);
  const info = document.info as Json;
  const used = withReferences(document.paths, components as Json);
  const rewritten = inForm30({ ...document, components: used }) as Json;
  const license = { name: (info.license as Json).name };
  return { openapi: "3.0.3", ...rewritten, info: { ...info, license }, servers: [{ url: base }] };
}

/** The components that something refers to, and all that they refer to. */
function withReferences(value: unknown, components: Json): Json {
  const schemas = components.schemas as Record<string, Json>;
  const found = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (found.has(name!)) continue;
      found.add(name!);
      follow(schemas[name!]);
    }
  };
  follow(value);
  const asked = new Set(
    Array.from(JSON.stringify(value).matchAll(/#\/components\/requestBodies\/(\w+)/g), ([, name]) => name),
  );
  const bodies = Object.entries(components.requestBodies as Json).filter(([name]) => asked.has(name));
  return {
    ...components,
    requestBodies: Object.fromEntries(bodies),
    schemas: Object.fromEntries([...found].map((name) => [name, schemas[name]])),
  };
}

function inForm30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inForm30);
  if (typeof value !== "object" || value === null) return value;
  const { const: only, examples, propertyNames: _names, ...rest } = value as Json;
  const own: Json = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, inForm30(part)]));
  if (Array.isArray(own.type)) {
    const { type, ...shared } = own;
    const branches = (type as string[]).map((one) => ({ ...shared, type: one }));
    return inForm30(branches.length === 1 ? branches[0] : { anyOf: branches });
  }
  for (const bound of ["Minimum", "Maximum"])
    if (typeof own[`exclusive${bound}`] === "number") {
      own[bound.toLowerCase()] = own[`exclusive${bound}`];
      own[`exclusive${bound}`] = true;
    }
  if (only !== undefined) own.enum = [only];
  if (Array.isArray(examples) && own.example === undefined) own.example = examples[0];
  if (Array.isArray(own.anyOf) && own.anyOf.some(isNull)) {
    const others = own.anyOf.filter((one) => !isNull(one));
    const { anyOf: _branches, ...others30 } = own;
    return {
      ...others30,
      ...(others.length === 1 ? (others[0] as Json) : { anyOf: others }),
      nullable: true,
    };
  }
  return own;
}

const isNull = (schema: unknown) => (schema as Json).type === "null";
