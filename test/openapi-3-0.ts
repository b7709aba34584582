type Json = Record<string, unknown>;

const known = new Set(
  (
    "title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems " +
    "uniqueItems maxProperties minProperties required enum type not allOf oneOf anyOf items properties additionalProperties " +
    "description format default nullable discriminator readOnly writeOnly example externalDocs deprecated xml"
  ).split(" "),
);
const types = ["array", "boolean", "integer", "number", "object", "string"];
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Violations of OpenAPI 3.0 (section 4.7.24) by the schemas of a document, as paths with descriptions. */
export function schemaFaults30(document: Json): string[] {
  const faults: string[] = [];
  visit(document, "#");
  return faults;

  function visit(value: unknown, at: string): void {
    if (!isObject(value)) return;
    for (const [key, part] of Object.entries(value)) {
      const here = `${at}/${key}`;
      if (key === "example") continue;
      if (key === "schema") check(part as Json, here);
      else if (here === "#/components/schemas")
        for (const [name, schema] of Object.entries(part as Json)) check(schema as Json, `${here}/${name}`);
      else visit(part, here);
    }
  }

  function check(schema: Json, at: string): void {
    if (typeof schema.$ref === "string") {
      const target = schema.$ref
        .slice(2)
        .split("/")
        .reduce<unknown>((part, name) => (part as Json | undefined)?.[name], document);
      if (!target) faults.push(`${at}: refers to nothing`);
      return;
    }
    for (const keyword of Object.keys(schema))
      if (!known.has(keyword) && !keyword.startsWith("x-")) faults.push(`${at}: has ${keyword}`);
    if (schema.type !== undefined && !types.includes(schema.type as string)) faults.push(`${at}: type`);
    if (schema.type === "array" && !schema.items) faults.push(`${at}: an array without items`);
    for (const bound of ["exclusiveMinimum", "exclusiveMaximum"])
      if (schema[bound] !== undefined && typeof schema[bound] !== "boolean") faults.push(`${at}: ${bound}`);
    const inner = [
      ...["allOf", "anyOf", "oneOf"].flatMap((name) => Object.entries((schema[name] as Json) ?? {})),
      ...Object.entries((schema.properties as Json) ?? {}),
      ...["items", "not", "additionalProperties"].map((name) => [name, schema[name]] as const),
    ];
    for (const [name, part] of inner) if (isObject(part)) check(part, `${at}/${name}`);
  }
}
