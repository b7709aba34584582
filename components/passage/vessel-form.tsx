import { MILE_KM } from "@open-metocean/geo/sphere";
import { useId, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { changePlan, chooseVessel } from "#components/view-state/plan.ts";
import type { PlanVessel, PlanWithVessel } from "#lib/contract/passage.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import { formatNumber, formatUngrouped } from "#lib/messages/number.ts";
import { defaultLimits, type LimitName, limitNames } from "#lib/passage/limits.ts";
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

/** Numbers of a vessel: the accepted range, and the default. A number without a default may stay empty. */
const numbers = {
  speed_kt: { low: 0.5, high: 100 },
  factor: { low: 0.1, high: 1.5, usual: 0.9 },
  motor_speed_kt: { low: 0.5, high: 100, isOptional: true },
  motor_below_kt: { low: 0, high: 100, usual: 3 },
  roll_period_s: { low: 1, high: 60, isOptional: true },
  length_m: { low: 1, high: 500, isOptional: true },
};

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
      {kind === "sail" ? (
        <SailForm vessel={vessel} />
      ) : (
        <VesselNumber
          vessel={vessel}
          name="speed_kt"
          label={kind === "motor" ? words.calmSpeed : words.speed}
        />
      )}
      {kind === "motor" ? <MotorForm vessel={vessel} /> : null}
      <details>
        <summary>{words.more}</summary>
        <div className="passage-fields">
          <VesselNumber vessel={vessel} name="roll_period_s" label={words.roll} />
          <VesselNumber vessel={vessel} name="length_m" label={words.length} />
        </div>
      </details>
    </fieldset>
  );
}

function VesselNumber({ vessel, name, label }: VesselProps & { name: keyof typeof numbers; label: string }) {
  const { low, high, usual, isOptional }: NumberRule = numbers[name];
  const change = (value: number | undefined) => changeVessel(vessel, { [name]: value }, name);
  return (
    <NumberField
      label={label}
      value={vessel[name] ?? usual}
      low={low}
      high={high}
      onEmpty={isOptional ? () => change(undefined) : undefined}
      onChange={change}
    />
  );
}

interface NumberRule {
  low: number;
  high: number;
  usual?: number;
  isOptional?: boolean;
}

function SailForm({ vessel }: VesselProps) {
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
        <VesselNumber vessel={vessel} name="factor" label={words.factor} />
        <VesselNumber vessel={vessel} name="motor_speed_kt" label={words.motor} />
        {vessel.motor_speed_kt === undefined ? null : (
          <VesselNumber vessel={vessel} name="motor_below_kt" label={words.motorBelow} />
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
function MotorForm({ vessel }: VesselProps) {
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
        <table className="motor-table">
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
                      quiet
                      label={words.cell({
                        side: words.sides[side],
                        height: formatNumber(height, 1, language),
                      })}
                      value={table[`${side}_kt`][index]}
                      low={0}
                      high={100}
                      onChange={(speed) => change(side, index, speed)}
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

const HIGHEST = 10_000;

/** Each limit with its number. Limits that are not changed are typical for the kind of vessel. */
export function LimitsForm({ plan }: { plan: PlanWithVessel }) {
  const { words: all, zone } = usePassageStyle();
  const { limits: names, limitsForm: words } = all;
  const usual = defaultLimits[plan.vessel.kind];
  const change = (name: LimitName, value: number | null) =>
    changePlan({ limits: { ...plan.limits, [name]: value } }, `limit ${name}`);
  return (
    <fieldset className="flex flex-col items-start gap-3">
      <legend className="font-semibold">{words.title}</legend>
      <p className="text-muted text-xs">{words.about}</p>
      <div className="passage-fields">
        {limitNames.map((name) => {
          const scale = scales[name] ?? 1;
          const value = plan.limits?.[name] === undefined ? usual[name] : plan.limits[name];
          const inMiles = (km: number) => (scale === 1 ? km : Math.round(km * scale));
          const most = inMiles(usual[name] ?? 0);
          return (
            <NumberField
              key={name}
              label={`${names[name]}, ${words.units[unitOf(name)]}`}
              value={value === null ? undefined : inMiles(value)}
              low={0}
              high={HIGHEST}
              hint={value === null ? words.off : words.usual({ value: plainNumber(most, zone) })}
              onEmpty={() => change(name, null)}
              onChange={(typed) => change(name, scale === 1 ? typed : Math.round(typed) / scale)}
            />
          );
        })}
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

interface NumberFieldProps {
  label: string;
  /** The label is only for screen readers, as in a table with headings. */
  quiet?: boolean;
  /** undefined if the field is empty. */
  value: number | undefined;
  low: number;
  high: number;
  hint?: string;
  /** Called when the field is emptied; without it an empty field is an error. */
  onEmpty?: (() => void) | undefined;
  onChange(value: number): void;
}

/** A field for a number, which is used as soon as it is valid. */
export function NumberField({ label, quiet, value, low, high, hint, onEmpty, onChange }: NumberFieldProps) {
  const { words, zone } = usePassageStyle();
  const help = useId();
  const [typed, setTyped] = useState<{ text: string; of: number | undefined }>();
  // The typed text stays as long as it means the value, so that "6." is not changed while typing.
  const text = typed && typed.of === value ? typed.text : value === undefined ? "" : String(value);
  const readOf = (from: string) => (from.trim() === "" ? undefined : readTypedDecimal(from.trim()));
  const isAllowed = (number: number | undefined) =>
    number === undefined ? onEmpty !== undefined : number >= low && number <= high;
  const isWrong = !isAllowed(readOf(text));
  return (
    <label className={quiet ? undefined : "form-field"}>
      <span className={quiet ? "sr-only" : undefined}>{label}</span>
      <input
        className="field passage-number"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={isWrong}
        aria-describedby={isWrong || hint ? help : undefined}
        onChange={({ target }) => {
          const number = readOf(target.value);
          const counts = isAllowed(number);
          setTyped({ text: target.value, of: counts ? number : value });
          if (!counts) return;
          if (number === undefined) onEmpty?.();
          else onChange(number);
        }}
      />
      {isWrong || hint ? (
        <span id={help} role={isWrong ? "alert" : undefined} className="passage-hint">
          {isWrong
            ? words.vessel.wrong({ low: plainNumber(low, zone), high: plainNumber(high, zone) })
            : hint}
        </span>
      ) : null}
    </label>
  );
}
