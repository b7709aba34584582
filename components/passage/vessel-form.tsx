import "#components/api-client/without-eval.ts";
import { MILE_KM } from "@open-metocean/geo/sphere";
import { useId, useState } from "react";
import { type FieldPath, type UseFormReturn, useForm } from "react-hook-form";
import { contractResolver } from "#components/fields/contract-resolver.ts";
import { NumberField, usedAsTyped } from "#components/fields/number-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { changePlan, chooseVessel } from "#components/view-state/plan.ts";
import type { NumberRange } from "#lib/contract/number-range.ts";
import { limitsForm, type PlanVessel, type PlanWithVessel, vesselForm } from "#lib/contract/passage.ts";
import { formatNumber, formatUngrouped } from "#lib/messages/number.ts";
import { defaultLimits, type LimitName, type Limits, limitNames } from "#lib/passage/limits.ts";
import {
  type GenericPolar,
  genericPolar,
  genericPolars,
  PolarError,
  readPolar,
  typicalTable,
  type WaveSide,
  waveSides,
} from "#lib/passage/polar.ts";
import { FuelForm } from "./fuel-form.tsx";
import { type PassageStyle, usePassageStyle } from "./passage-format.tsx";

const beginnings: Record<PlanVessel["kind"], PlanVessel> = {
  fixed: { kind: "fixed", speed_kt: 6 },
  motor: { kind: "motor", speed_kt: 8 },
  sail: { kind: "sail", polar_name: "cruising_10m", factor: 0.9, motor_speed_kt: 5.5, motor_below_kt: 3 },
};

/** Vessels that can be chosen with one tap; their numbers can be changed afterwards. */
const firstVessels = {
  sail: beginnings.sail,
  catamaran: { ...beginnings.sail, polar_name: "catamaran_13m" },
  motor: beginnings.motor,
  ship: { kind: "fixed", speed_kt: 12 },
} satisfies Record<string, PlanVessel>;

export function ChooseVessel() {
  const { words } = usePassageStyle();
  const title = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: the title is also read separately
    <div role="group" aria-labelledby={title} className="space-y-2">
      <p id={title} className="font-semibold text-lg">
        {words.kinds.title}
      </p>
      <div className="flex flex-wrap gap-2">
        {(["sail", "catamaran", "motor", "ship"] as const).map((kind) => (
          <Button key={kind} onClick={() => chooseVessel(firstVessels[kind])}>
            {words.kinds[kind]}
          </Button>
        ))}
      </div>
      <p className="text-muted text-sm">{words.whichVesselAbout}</p>
    </div>
  );
}

interface VesselProps {
  vessel: PlanVessel;
}

/** @param of What is changed; consecutive changes of the same thing are undone together. */
function changeVessel(vessel: PlanVessel, part: Partial<PlanVessel>, of: string): void {
  const entries = Object.entries({ ...vessel, ...part }).filter(([, value]) => value !== undefined);
  chooseVessel(Object.fromEntries(entries) as PlanVessel, {}, `vessel ${of}`);
}

export function VesselForm({ vessel }: VesselProps) {
  const { words: all } = usePassageStyle();
  const { vessel: words } = all;
  const { kind } = vessel;
  return (
    <fieldset className="flex flex-col items-start gap-3">
      <legend className="font-semibold">{words.title}</legend>
      <Choice
        title={words.kinds.title}
        options={(["fixed", "motor", "sail"] as const).map((one) => [one, words.kinds[one]] as const)}
        value={kind}
        // Another kind of vessel has other typical limits.
        onChange={(next) => {
          if (next !== kind) chooseVessel(beginnings[next], { limits: undefined });
        }}
      />
      <VesselFields key={kind} vessel={vessel} />
    </fieldset>
  );
}

/** The numbers of a vessel; null is an empty field. */
const numberNames = [
  "speed_kt",
  "factor",
  "motor_speed_kt",
  "motor_below_kt",
  "roll_period_s",
  "length_m",
] as const;

type VesselNumbers = Record<(typeof numberNames)[number], number | null> & {
  table: ReturnType<typeof typicalTable>;
};

const { factor, motor_below_kt, speed_kt } = vesselForm.shape;

/** Those numbers of a vessel that may be left out have a default, and their fields are not empty. */
const shownVessel = vesselForm.extend({
  factor: factor.unwrap(),
  motor_below_kt: motor_below_kt.unwrap(),
});

/** A vessel that is not sailed has a speed. */
const shownMotorVessel = shownVessel.extend({ speed_kt: speed_kt.unwrap() });

const defaults = { factor: factor.parse(undefined), motor_below_kt: motor_below_kt.parse(undefined) };

/** The numbers of a vessel, with the defaults of the contract and a typical table. */
export function vesselNumbers(vessel: PlanVessel): VesselNumbers {
  const numbers: Partial<PlanVessel> = { ...defaults, ...vessel };
  return {
    ...(Object.fromEntries(numberNames.map((name) => [name, numbers[name] ?? null])) as Omit<
      VesselNumbers,
      "table"
    >),
    table: vessel.table ?? typicalTable(vessel.speed_kt ?? 0),
  };
}

/** Checks the numbers of a vessel by the contract. */
export const vesselCheck = (kind: PlanVessel["kind"], rangeText: (range: NumberRange) => string) =>
  contractResolver({
    schema: kind === "sail" ? shownVessel : shownMotorVessel,
    bodyOf: (values: VesselNumbers) => ({
      kind,
      ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
    }),
    fieldOf: ({ path }) => path.join(".") as FieldPath<VesselNumbers>,
    textOf: ({ range }) => rangeText(range!),
  });

interface FieldsProps extends VesselProps {
  form: UseFormReturn<VesselNumbers, unknown, unknown>;
}

function VesselFields({ vessel }: VesselProps) {
  const style = usePassageStyle();
  const { vessel: words } = style.words;
  const { kind } = vessel;
  const form = useForm<VesselNumbers, unknown, unknown>({
    ...usedAsTyped,
    values: vesselNumbers(vessel),
    resolver: vesselCheck(kind, (range) => rangeText(range, style)),
  });
  return (
    <>
      {kind === "sail" ? (
        <SailForm vessel={vessel} form={form} />
      ) : (
        <VesselNumber
          vessel={vessel}
          form={form}
          name="speed_kt"
          label={kind === "motor" ? words.calmSpeed : words.speed}
        />
      )}
      {kind === "motor" ? <MotorForm vessel={vessel} form={form} /> : null}
      <FuelForm
        vessel={vessel}
        onChange={(fuel) => changeVessel(vessel, { fuel }, "fuel")}
        rangeText={(range) => rangeText(range, style)}
      />
      <details>
        <summary>{words.more}</summary>
        <div className="passage-fields">
          <VesselNumber vessel={vessel} form={form} name="roll_period_s" label={words.roll} />
          <VesselNumber vessel={vessel} form={form} name="length_m" label={words.length} />
        </div>
      </details>
    </>
  );
}

interface NumberProps extends FieldsProps {
  name: (typeof numberNames)[number];
  label: string;
}

function VesselNumber({ vessel, form, name, label }: NumberProps) {
  return (
    <NumberField
      form={form}
      name={name}
      label={label}
      onUse={(value) => changeVessel(vessel, { [name]: value ?? undefined }, name)}
    />
  );
}

function SailForm({ vessel, form }: FieldsProps) {
  const { words: all } = usePassageStyle();
  const { vessel: words } = all;
  const name = vessel.polar_name ?? "own";
  const choose = (next: GenericPolar | "own") =>
    changeVessel(
      vessel,
      // The user's own polar starts with the numbers that were in use.
      next === "own"
        ? { polar_name: undefined, polar: genericPolar(vessel.polar_name ?? genericPolars[0]) }
        : { polar_name: next, polar: undefined },
      "polar",
    );
  return (
    <>
      <label className="form-field">
        {words.polar}
        <select
          className="field"
          value={name}
          onChange={({ target }) => choose(target.value as GenericPolar | "own")}
        >
          {[...genericPolars, "own" as const].map((option) => (
            <option key={option} value={option}>
              {words.polars[option]}
            </option>
          ))}
        </select>
      </label>
      {name === "own" ? <OwnPolar vessel={vessel} /> : <p className="text-muted text-xs">{words.generic}</p>}
      <div className="passage-fields">
        <VesselNumber vessel={vessel} form={form} name="factor" label={words.factor} />
        <VesselNumber vessel={vessel} form={form} name="motor_speed_kt" label={words.motor} />
        {vessel.motor_speed_kt === undefined ? null : (
          <VesselNumber vessel={vessel} form={form} name="motor_below_kt" label={words.motorBelow} />
        )}
      </div>
    </>
  );
}

/** A polar that is pasted or read from a file; it is used once it can be parsed. */
function OwnPolar({ vessel }: VesselProps) {
  const { vessel: words } = usePassageStyle().words;
  const help = useId();
  const [typed, setTyped] = useState(vessel.polar ?? "");
  const [fileName, setFileName] = useState("");
  // Undo, redo and another plan bring another polar than the one that was typed.
  const [seen, setSeen] = useState(vessel.polar);
  if (vessel.polar !== seen) {
    setSeen(vessel.polar);
    if (vessel.polar !== typed) {
      setTyped(vessel.polar ?? "");
      setFileName("");
    }
  }
  const problem = problemOf(typed);
  const take = (text: string) => {
    setTyped(text);
    if (problemOf(text) === undefined) changeVessel(vessel, { polar: text }, "polar text");
  };
  return (
    <FileDrop
      label={words.file}
      accept=".csv,.pol,.txt,text/csv,text/plain"
      onFile={(file) => {
        setFileName(file.name);
        void file.text().then(take);
      }}
    >
      <p aria-live="polite" className="text-sm [overflow-wrap:anywhere]">
        {fileName}
      </p>
      <label className="form-field">
        {words.text}
        <textarea
          className="field w-full whitespace-pre font-mono"
          rows={6}
          spellCheck={false}
          value={typed}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : help}
          onChange={({ target }) => {
            setFileName("");
            take(target.value);
          }}
        />
      </label>
      {problem === undefined ? null : (
        <p id={help} role="alert" className="text-sm">
          {problem}
        </p>
      )}
    </FileDrop>
  );
}

/** The problem of a polar, in the service's words; undefined if there is none. */
function problemOf(text: string): string | undefined {
  try {
    readPolar(text);
    return undefined;
  } catch (error) {
    if (error instanceof PolarError) return error.message;
    throw error;
  }
}

/**
 * Speeds of a motor vessel by significant height and side of the waves; typical ones until the user enters
 * others.
 */
function MotorForm({ vessel, form }: FieldsProps) {
  const { words: all, zone } = usePassageStyle();
  const { vessel: words } = all;
  const { language } = zone.words;
  const table = vessel.table ?? typicalTable(vessel.speed_kt ?? 0);
  const change = (side: WaveSide, index: number, speed: number) => {
    const speeds = table[`${side}_kt`].map((former, place) => (place === index ? speed : former));
    changeVessel(vessel, { table: { ...table, [`${side}_kt`]: speeds } }, "table");
  };
  return (
    <details>
      <summary>{words.table}</summary>
      <p className="text-muted text-xs">{words.tableAbout}</p>
      <p className="text-xs">{vessel.table ? words.own : words.typical}</p>
      <div className="passage-scroll">
        <table className="w-full border-separate border-spacing-1 text-[0.75rem]">
          <caption className="sr-only">{words.table}</caption>
          <thead>
            <tr>
              <th scope="col">{words.height}</th>
              {waveSides.map((side) => (
                <th key={side} scope="col">
                  {words.sides[side]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.heights_m.map((height, index) => (
              <tr key={height}>
                <th scope="row">{formatNumber(height, 1, language)}</th>
                {waveSides.map((side) => (
                  <td key={side}>
                    <NumberField
                      form={form}
                      name={`table.${side}_kt.${index}`}
                      quiet
                      label={words.cell({
                        side: words.sides[side],
                        height: formatNumber(height, 1, language),
                      })}
                      onUse={(speed) => change(side, index, speed!)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {vessel.table ? (
        <Button onClick={() => changeVessel(vessel, { table: undefined }, "typical table")}>
          {words.backToTypical}
        </Button>
      ) : null}
    </details>
  );
}

/** Factors from the service's unit to the one typed: distances are typed in nautical miles. */
const scales: Partial<Record<LimitName, number>> = { storm_km: 1 / MILE_KM };

type TypedLimits = Record<LimitName, number | null>;

/** The limits of a plan as they are typed; null is a quantity that is not looked at. */
function limitNumbers({ vessel, limits }: PlanWithVessel): TypedLimits {
  const all: Limits = { ...defaultLimits[vessel.kind], ...limits };
  return Object.fromEntries(limitNames.map((name) => [name, typedLimit(name, all[name])])) as TypedLimits;
}

function typedLimit(name: LimitName, value: number | null): number | null {
  const scale = scales[name];
  return scale === undefined || value === null ? value : Math.round(value * scale);
}

function usedLimit(name: LimitName, typed: number | null): number | null {
  const scale = scales[name];
  return scale === undefined || typed === null ? typed : Math.round(typed) / scale;
}

/** Checks typed limits by the contract, which has other units for some. */
export const limitsCheck = (rangeText: (range: NumberRange) => string) =>
  contractResolver({
    schema: limitsForm,
    bodyOf: (typed: TypedLimits) =>
      Object.fromEntries(limitNames.map((name) => [name, usedLimit(name, typed[name])])),
    fieldOf: ({ path: [name] }) => name as LimitName,
    textOf: ({ path: [name], range }) => {
      const scale = scales[name as LimitName] ?? 1;
      const [least, most] = range!;
      return rangeText([Math.ceil(least * scale), Math.floor(most * scale)]);
    },
  });

/** Each limit with its number. Limits that are not changed are typical for the kind of vessel. */
export function LimitsForm({ plan }: { plan: PlanWithVessel }) {
  const style = usePassageStyle();
  const { limits: names, limitsForm: words } = style.words;
  const usual = defaultLimits[plan.vessel.kind];
  const numbers = limitNumbers(plan);
  const form = useForm<TypedLimits, unknown, unknown>({
    ...usedAsTyped,
    values: numbers,
    resolver: limitsCheck((range) => rangeText(range, style)),
  });
  return (
    <fieldset className="flex flex-col items-start gap-3">
      <legend className="font-semibold">{words.title}</legend>
      <p className="text-muted text-xs">{words.about}</p>
      <div className="passage-fields">
        {limitNames.map((name) => (
          <NumberField
            key={name}
            form={form}
            name={name}
            label={`${names[name]}, ${words.units[unitOf(name)]}`}
            hint={
              numbers[name] === null
                ? words.off
                : words.usual({ value: plainNumber(typedLimit(name, usual[name]) ?? 0, style.zone) })
            }
            onUse={(typed) =>
              changePlan({ limits: { ...plan.limits, [name]: usedLimit(name, typed) } }, `limit ${name}`)
            }
          />
        ))}
      </div>
      {plan.limits === undefined ? null : (
        <Button onClick={() => changePlan({ limits: undefined }, "limits")}>{words.reset}</Button>
      )}
    </fieldset>
  );
}

function unitOf(name: LimitName): "knots" | "m" | "g" | "mm_h" | "j_kg" | "miles" {
  if (name === "storm_km") return "miles";
  if (name === "rain_mm_h") return "mm_h";
  if (name === "cape_j_kg") return "j_kg";
  if (name.endsWith("_kt")) return "knots";
  return name.endsWith("_g") ? "g" : "m";
}

/** Formats a number with as many decimals as it needs, at most two. */
function plainNumber(value: number, { words }: PassageStyle["zone"]): string {
  const decimals = [0, 1].find((digits) => Number.isInteger(value * 10 ** digits)) ?? 2;
  return formatUngrouped(value, decimals, words.language);
}

/** Says which numbers are accepted. */
export function rangeText([least, most]: NumberRange, { words, zone }: PassageStyle): string {
  return words.vessel.wrong({ low: plainNumber(least, zone), high: plainNumber(most, zone) });
}
