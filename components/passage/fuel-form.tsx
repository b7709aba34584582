import "#components/api-client/without-eval.ts";
import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { contractResolver } from "#components/fields/contract-resolver.ts";
import { NumberField, usedAsTyped } from "#components/fields/number-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import type { NumberRange } from "#lib/contract/number-range.ts";
import { fastestUnderMotor, fuelForm, type PlanVessel } from "#lib/contract/passage.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import { type FuelUnit, fuelProblem, fuelUnits } from "#lib/passage/fuel.ts";
import { type PassageStyle, usePassageStyle } from "./passage-format.tsx";

type PlanFuel = NonNullable<PlanVessel["fuel"]>;

const tables = ["curve", "rpm_speed", "rpm_rate"] as const;

type Table = (typeof tables)[number];

/** The names of both columns of each table. */
const columns = {
  curve: ["speed_kt", "rate"],
  rpm_speed: ["rpm", "speed_kt"],
  rpm_rate: ["rpm", "rate"],
} as const;

interface Props {
  vessel: PlanVessel;
  onChange(fuel: PlanFuel | undefined): void;
  /** Says which numbers are accepted. */
  rangeText(range: NumberRange): string;
}

/** The consumption of a vessel, which is used once it can be read and covers the speed under motor. */
export function FuelForm({ vessel, onChange, rangeText }: Props) {
  const style = usePassageStyle();
  const { fuel: text } = style.words.vessel;
  const { fuel } = vessel;
  const [isByRpm, setByRpm] = useState(fuel?.rpm_speed !== undefined);
  const [unit, setUnit] = useState<FuelUnit>(fuel?.unit ?? "l_h");
  const [typed, setTyped] = useState(() => textsOf(fuel));
  // Undo, redo and another plan bring other tables than those that were typed.
  const planned = tablesOf(fuel);
  const [seen, setSeen] = useState(planned);
  if (planned !== seen) {
    setSeen(planned);
    if (planned !== tablesOf(fuelFrom(typed, isByRpm ? ["rpm_speed", "rpm_rate"] : ["curve"], unit))) {
      setByRpm(fuel?.rpm_speed !== undefined);
      setUnit(fuel?.unit ?? "l_h");
      setTyped(textsOf(fuel));
    }
  }
  const used: readonly Table[] = isByRpm ? ["rpm_speed", "rpm_rate"] : ["curve"];
  const problem = problemOf(typed, used, vessel, style);
  const take = (next: typeof typed, inUnit: FuelUnit, byRpm = isByRpm) => {
    setTyped(next);
    const read = fuelFrom(next, byRpm ? ["rpm_speed", "rpm_rate"] : ["curve"], inUnit);
    if (!read || fuelProblem(read, fastestUnderMotor(vessel))) return;
    // Limit and factor are numbers of the former unit.
    const { limit, co2_factor } = fuel && (fuel.unit ?? "l_h") === inUnit ? fuel : {};
    onChange({
      ...read,
      ...(limit !== undefined && { limit }),
      ...(co2_factor !== undefined && { co2_factor }),
    });
  };
  const units = text.units[unit];
  return (
    <details>
      <summary>{text.title}</summary>
      <div className="flex flex-col items-start gap-2.5 py-1">
        <p className="text-muted text-xs">{text.about}</p>
        <Choice
          title={text.unit}
          options={fuelUnits.map((one) => [one, text.units[one].rate] as const)}
          value={unit}
          onChange={(next) => {
            setUnit(next);
            take(typed, next);
          }}
        />
        <Choice
          title={text.by}
          options={[["speed", text.bySpeed] as const, ["rpm", text.byRpm] as const]}
          value={isByRpm ? "rpm" : "speed"}
          onChange={(next) => {
            setByRpm(next === "rpm");
            take(typed, unit, next === "rpm");
          }}
        />
        {used.map((table) => (
          <TableText
            key={table}
            label={table === "rpm_speed" ? text.tables.rpm_speed : text.tables[table]({ unit: units.rate })}
            value={typed[table]}
            problem={problem}
            onChange={(value) => take({ ...typed, [table]: value }, unit)}
          />
        ))}
        {problem === undefined ? null : (
          <p role="alert" className="font-semibold text-xs">
            {problem}
          </p>
        )}
        {fuel ? (
          <>
            <FuelNumbers fuel={fuel} onChange={onChange} rangeText={rangeText} />
            <Button
              onClick={() => {
                setTyped({ curve: "", rpm_speed: "", rpm_rate: "" });
                onChange(undefined);
              }}
            >
              {text.remove}
            </Button>
          </>
        ) : null}
      </div>
    </details>
  );
}

interface TextProps {
  label: string;
  value: string;
  problem: string | undefined;
  onChange(value: string): void;
}

function TableText({ label, value, problem, onChange }: TextProps) {
  const id = useId();
  return (
    <label className="form-field w-full" htmlFor={id}>
      {label}
      <textarea
        id={id}
        className="field w-full whitespace-pre font-mono"
        rows={4}
        spellCheck={false}
        inputMode="text"
        value={value}
        aria-invalid={problem !== undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

type FuelNumbersOf = Record<"limit" | "co2_factor", number | null>;

const { limit, co2_factor } = fuelForm.shape;

function FuelNumbers({ fuel, onChange, rangeText }: Omit<Props, "vessel"> & { fuel: PlanFuel }) {
  const { fuel: text } = usePassageStyle().words.vessel;
  const units = text.units[fuel.unit ?? "l_h"];
  const form = useForm<FuelNumbersOf, unknown, unknown>({
    ...usedAsTyped,
    values: { limit: fuel.limit ?? null, co2_factor: fuel.co2_factor ?? null },
    resolver: contractResolver({
      schema: fuelForm.pick({ limit: true, co2_factor: true }).extend({ limit, co2_factor }),
      bodyOf: (values: FuelNumbersOf) =>
        Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
      fieldOf: ({ path: [name] }) => name as keyof FuelNumbersOf,
      textOf: ({ range }) => rangeText(range!),
    }),
  });
  const number = (name: keyof FuelNumbersOf, label: string) => (
    <NumberField
      form={form}
      name={name}
      label={label}
      onUse={(value) => {
        const { [name]: _, ...others } = fuel;
        onChange({ ...others, ...(value !== null && { [name]: value }) });
      }}
    />
  );
  return (
    <div className="passage-fields">
      {number("limit", text.limit({ unit: units.amount }))}
      {number("co2_factor", text.co2({ unit: units.factor }))}
    </div>
  );
}

/** Tables and unit of a consumption, to compare them. */
function tablesOf({ unit = "l_h", ...fuel }: PlanFuel = {}): string {
  return JSON.stringify([unit, ...tables.map((table) => fuel[table] ?? [])]);
}

function textsOf(fuel: PlanFuel | undefined): Record<Table, string> {
  return Object.fromEntries(tables.map((table) => [table, textOf(fuel, table)])) as Record<Table, string>;
}

/** The rows of a table as text. */
function textOf(fuel: PlanFuel | undefined, table: Table): string {
  const [first, second] = columns[table];
  const rows: readonly Partial<Record<string, number>>[] = fuel?.[table] ?? [];
  return rows.map((row) => `${row[first]} ${row[second]}`).join("\n");
}

/** Reads the tables, with two numbers in each line; undefined if one cannot be read. */
export function fuelFrom(
  typed: Record<Table, string>,
  used: readonly Table[],
  unit: FuelUnit,
): (PlanFuel & { unit: FuelUnit }) | undefined {
  const read = used.map((table) => {
    const lines = typed[table].split("\n").filter((line) => line.trim() !== "");
    const rows = lines.map((line) =>
      line
        .trim()
        .split(/[\s;]+/)
        .map(readTypedDecimal),
    );
    const [first, second] = columns[table];
    const named = rows.map(([one = Number.NaN, other = Number.NaN]) => ({ [first]: one, [second]: other }));
    return [table, rows.every(({ length }) => length === 2) ? named : []] as const;
  });
  const parsed = fuelForm.safeParse({ unit, ...Object.fromEntries(read) });
  return parsed.success ? parsed.data : undefined;
}

/** Describes what is wrong with the tables; returns undefined if nothing is, and while nothing is typed. */
function problemOf(
  typed: Record<Table, string>,
  used: readonly Table[],
  vessel: PlanVessel,
  { words }: PassageStyle,
): string | undefined {
  if (used.every((table) => typed[table].trim() === "")) return undefined;
  const { fuel: text } = words.vessel;
  const read = fuelFrom(typed, used, "l_h");
  if (!read) return text.wrong;
  const fastest = fastestUnderMotor(vessel);
  if (!fuelProblem(read, fastest)) return undefined;
  return fuelProblem(read, 0) ? text.wrong : text.short({ speed: String(fastest) });
}
