import { expect, it } from "vitest";
import { type FieldName, fieldsOf } from "#lib/catalog/fields.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { sources } from "./all.ts";

it.each(variableNames)("the catalog names exactly the sources that have %s", (name) => {
  const needed: readonly FieldName[] = variable(name).outputs[0]?.of ?? fieldsOf(name);
  const having = sources.filter(({ rules }) =>
    needed.every((field) => rules.some((rule) => rule.field === field)),
  );
  expect([...variable(name).sources].sort()).toEqual(having.map((source) => source.name).sort());
});
