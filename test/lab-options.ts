import { parseArgs } from "node:util";

/** Options by name: the default, which determines the type, and the description. */
type Options = Readonly<Record<string, readonly [unset: string | number | boolean, meaning: string]>>;

type Given<Of extends Options> = {
  [Name in keyof Of]: Of[Name][0] extends number ? number : Of[Name][0] extends boolean ? boolean : string;
};

/**
 * Reads the options of the laboratory that `npm run lab` runs. `--help` or an unknown option prints them and ends the
 * process.
 *
 * @param about What the laboratory does, and which findings it reports.
 */
export function labOptions<const Of extends Options>(about: string, options: Of): Given<Of> {
  const [, , name, ...args] = process.argv;
  const lines = Object.entries(options).map(([option, [unset, meaning]]) => {
    const value = typeof unset === "boolean" ? "" : typeof unset === "number" ? " N" : " TEXT";
    const otherwise = unset === "" || typeof unset === "boolean" ? "" : `; default ${unset}`;
    return `  ${`--${option}${value}`.padEnd(18)}${meaning}${otherwise}`;
  });
  const help = `npm run lab -- ${name} [options]\n\n${about}\n\n${lines.join("\n")}`;
  const kinds: Record<string, { type: "boolean" | "string" }> = { help: { type: "boolean" } };
  for (const [option, [unset]] of Object.entries(options))
    kinds[option] = { type: typeof unset === "boolean" ? "boolean" : "string" };
  try {
    const { values } = parseArgs({ args, options: kinds });
    if (values.help) {
      console.log(help);
      process.exit(0);
    }
    const given = Object.entries(options).map(([option, [unset]]) => {
      const value = values[option] ?? unset;
      if (typeof unset !== "number") return [option, value];
      if (value === "" || !Number.isFinite(Number(value)))
        throw new TypeError(`--${option} is a number, not ${value}`);
      return [option, Number(value)];
    });
    return Object.fromEntries(given) as Given<Of>;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message}\n\n${help}`);
    process.exit(2);
  }
}
