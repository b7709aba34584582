import { z } from "zod";
import { type SourceOrder, sourceOrder } from "#lib/catalog/source-order.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";

type SettingName = `SOURCES_${Uppercase<VariableName>}`;

/** The setting of the order of sources of a variable. */
function settingOf<N extends VariableName>(name: N): `SOURCES_${Uppercase<N>}` {
  return `SOURCES_${name.toUpperCase()}` as `SOURCES_${Uppercase<N>}`;
}

/** `ecmwf,gfs`: some of the sources that have a variable, best first. */
function orderOf(known: readonly string[]) {
  const message = `names among ${known.join(", ")}, best first, such as "${known.slice(0, 2).reverse().join(",")}"`;
  return z
    .string()
    .transform((text) => text.split(",").map((name) => name.trim()))
    .refine(
      (names) => names.every((name) => known.includes(name)) && new Set(names).size === names.length,
      message,
    )
    .optional();
}

/** A setting for each variable that several sources have. */
export const sourceSettings = Object.fromEntries(
  variableNames
    .filter((name) => variable(name).sources.length > 1)
    .map((name) => [settingOf(name), orderOf(variable(name).sources)]),
) as Record<SettingName, ReturnType<typeof orderOf>>;

/** The order of sources that the settings give. */
export function readSourceOrder(read: Partial<Readonly<Record<SettingName, string[]>>>): SourceOrder {
  return sourceOrder(Object.fromEntries(variableNames.map((name) => [name, read[settingOf(name)]])));
}
