import { type FieldName, fields, fieldsOf, outputsIn, rowOf } from "#lib/catalog/fields.ts";
import { variableNames } from "#lib/catalog/variables.ts";
import { windField, windHeights } from "#lib/catalog/wind.ts";
import type { PlannedField } from "#server/ingest/plan.ts";

/** Fields that make numbers together: the components of a vector, and of a direction. */
const groups: readonly (readonly FieldName[])[] = [
  ...variableNames.flatMap((name) =>
    outputsIn(Object.fromEntries(fieldsOf(name).map((field) => [field, true])), name).map(({ of }) => of),
  ),
  ...windHeights.map((height) => [windField("eastward", height), windField("northward", height)] as const),
];

/** A field, and those without which it is of no use. */
function groupOf(name: FieldName): readonly FieldName[] {
  return [...new Set(groups.filter((group) => group.includes(name)).flat())];
}

/**
 * The steps that can be published of the fields of a run: each number stands for itself, and the fields of which it is made go
 * together.
 *
 * @param without Fields that are left out, with those that go with them.
 */
export function wholeOutputs(
  fields: readonly PlannedField[],
  without: ReadonlySet<FieldName> = new Set(),
): PlannedField[] {
  const planned = new Map(fields.map((field) => [field.name, field]));
  return fields.flatMap((field) => {
    const group = groupOf(field.name);
    if (group.some((name) => without.has(name))) return [];
    const others = group.map((name) => new Set(planned.get(name)?.steps.map(({ index }) => index)));
    const together = field.steps.filter(({ index }) => others.every((indices) => indices.has(index)));
    return together.length > 0 ? [{ ...field, steps: together }] : [];
  });
}

/** A field with its longest row of steps without a gap: nothing is interpolated across one. */
export function longestStretch({ steps, ...field }: PlannedField): PlannedField {
  let longest: PlannedField["steps"] = [];
  let stretch: PlannedField["steps"] = [];
  for (const step of steps) {
    if (stretch.length > 0 && step.index !== stretch.at(-1)!.index + 1) stretch = [];
    stretch.push(step);
    if (stretch.length > longest.length) longest = [...stretch];
  }
  return { ...field, steps: longest };
}

/** Public names of the numbers that cannot be answered without some fields; where there are none, what the fields are. */
export function numbersOf(names: readonly FieldName[]): string[] {
  return [
    ...new Set(
      names.flatMap((name) => {
        const outputs = rowOf(name).outputs.filter(({ of }) => (of as readonly FieldName[]).includes(name));
        return outputs.length > 0 ? outputs.map(({ point }) => point) : fields[name].longName;
      }),
    ),
  ];
}
