/** A JSON schema, as far as the reference shows it. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
}

export interface DescribedField {
  /** `points[].latitude`. */
  path: string;
  type: string;
  required: boolean;
  /** Ranges, lengths, words and defaults. */
  rules: string[];
  description?: string;
}

/** The fields of an object, those of objects in it after their own. @param prefix Before their names. */
export function fieldsOf(schema: Schema, prefix: string): DescribedField[] {
  const required = new Set(schema.required);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    return [
      {
        path,
        type: typeOf(field),
        required: required.has(name),
        rules: rulesOf(field),
        description: field.description,
      },
      ...fieldsInside(field, path),
    ];
  });
  return [...own, ...optionsOf(schema).flatMap((option) => fieldsOf(option, prefix))];
}

/** Of an object, of those in a list, and of each that it may be, named by its constant field: `question(place).latitude`. */
function fieldsInside(field: Schema, path: string): DescribedField[] {
  if (field.items) return fieldsInside(field.items, `${path}[]`);
  const options = optionsOf(field).filter(({ properties }) => properties);
  if (options.length < 2) return fieldsOf(field, `${path}.`);
  return options.flatMap((option) => {
    const kind = Object.values(option.properties!).find((inner) => inner.const !== undefined)?.const;
    return fieldsOf(option, kind === undefined ? `${path}.` : `${path}(${kind}).`);
  });
}

const optionsOf = ({ oneOf, anyOf }: Schema): Schema[] => oneOf ?? anyOf ?? [];

export function typeOf(schema: Schema): string {
  const options = optionsOf(schema);
  if (options.length > 0) return [...new Set(options.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  const type = typeof schema.type === "object" ? schema.type.join(" or ") : schema.type;
  if (!type) return schema.enum ? "string" : "any";
  return schema.format ? `${type} (${schema.format})` : type;
}

/** Ranges, lengths and defaults, without the words that a form lists anyway. */
export function shortRules(schema: Schema): string[] {
  return rulesOf({ ...schema, enum: undefined });
}

function rulesOf(schema: Schema): string[] {
  const words = schema.enum ?? schema.items?.enum;
  const rules: [unknown, string][] = [
    [schema.minimum, `at least ${schema.minimum}`],
    [schema.maximum, `at most ${schema.maximum}`],
    [schema.minItems, `at least ${schema.minItems} items`],
    [schema.maxItems, `at most ${schema.maxItems} items`],
    [schema.maxLength, `at most ${schema.maxLength} characters`],
    [words, `one of ${words?.join(", ")}`],
    [schema.default, `default ${JSON.stringify(schema.default)}`],
  ];
  return rules.filter(([value]) => value !== undefined).map(([, text]) => text);
}
