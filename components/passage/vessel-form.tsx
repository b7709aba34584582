import { useId, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { changePlan, chooseVessel } from "#components/view-state/plan.ts";
import type { PlanVessel, PlanWithVessel } from "#lib/contract/passage.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
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
import type { PassageStyle } from "./passage-format.tsx";

const beginnings: Record<PlanVessel["kind"], PlanVessel> = {
  fixed: { kind: "fixed", speed_kt: 6 },
  motor: { kind: "motor", speed_kt: 8 },
  sail: { kind: "sail", polar_name: "cruising_10m", factor: 0.9, motor_speed_kt: 5.5, motor_below_kt: 3 },
};

const kindsOf = ({ vessel: { kinds } }: Messages["passage"]["outlook"]) =>
  (["fixed", "motor", "sail"] as const).map((kind) => [kind, kinds[kind]] as const);

/** What is chosen at one tap; its numbers can be changed afterwards. */
const firstVessels = {
  sail: beginnings.sail,
  catamaran: { ...beginnings.sail, polar_name: "catamaran_13m" },
  motor: beginnings.motor,
  ship: { kind: "fixed", speed_kt: 12 },
} satisfies Record<string, PlanVessel>;

export function ChooseVessel({ words }: { words: Messages["passage"]["outlook"] }) {
  const title = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: the title is also read by itself
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

export function VesselForm({ vessel, style }: Omit<VesselFormProps, "onChange">) {
  const { vessel: words } = style.words;
  const { kind } = vessel;
  const onChange = (part: Partial<PlanVessel>, of: string) => {
    const entries = Object.entries({ ...vessel, ...part }).filter(([, value]) => value !== undefined);
    chooseVessel(Object.fromEntries(entries) as PlanVessel, {}, `vessel ${of}`);
  };
  const form = { vessel, style, onChange };
  return (
    <fieldset className="flex flex-col items-start gap-3">
      <legend className="font-semibold">{words.title}</legend>
      <Choice
        title={words.kinds.title}
        options={kindsOf(style.words)}
        value={kind}
        // Another kind has other usual limits.
        onChange={(next) => {
          if (next !== kind) chooseVessel(beginnings[next], { limits: undefined });
        }}
      />
      {kind === "sail" ? null : <Speed {...form} />}
      {kind === "motor" ? <MotorForm {...form} /> : null}
      {kind === "sail" ? <SailForm {...form} /> : null}
      <details>
        <summary>{words.more}</summary>
        <div className="passage-fields">
          <Optional {...form} name="roll_period_s" label={words.roll} low={1} high={60} />
          <Optional {...form} name="length_m" label={words.length} low={1} high={500} />
        </div>
      </details>
    </fieldset>
  );
}

const [SLOWEST, FASTEST] = [0.5, 100];

function Speed({ vessel, style, onChange }: VesselFormProps) {
  const { vessel: words } = style.words;
  return (
    <NumberField
      label={vessel.kind === "motor" ? words.calmSpeed : words.speed}
      value={vessel.speed_kt}
      low={SLOWEST}
      high={FASTEST}
      style={style}
      onChange={(speed_kt) => onChange({ speed_kt }, "speed")}
    />
  );
}

interface OptionalProps extends VesselFormProps {
  name: "roll_period_s" | "length_m";
  label: string;
  low: number;
  high: number;
}

function Optional({ vessel, style, onChange, name, label, low, high }: OptionalProps) {
  return (
    <NumberField
      label={label}
      value={vessel[name]}
      low={low}
      high={high}
      style={style}
      onEmpty={() => onChange({ [name]: undefined }, name)}
      onChange={(value) => onChange({ [name]: value }, name)}
    />
  );
}

interface VesselFormProps {
  vessel: PlanVessel;
  style: PassageStyle;
  /** @param of What is changed: changes of the same in a row are taken back together. */
  onChange(part: Partial<PlanVessel>, of: string): void;
}

function SailForm({ vessel, style, onChange }: VesselFormProps) {
  const { vessel: words } = style.words;
  const name = vessel.polar_name ?? "own";
  const choose = (next: GenericPolar | "own") =>
    next === "own"
      ? // One's own begins with the numbers that were in force.
        onChange(
          { polar_name: undefined, polar: genericPolar(vessel.polar_name ?? genericPolars[0]) },
          "polar",
        )
      : onChange({ polar_name: next, polar: undefined }, "polar");
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
      {name === "own" ? (
        <OwnPolar vessel={vessel} style={style} onChange={onChange} />
      ) : (
        <p className="text-muted text-xs">{words.generic}</p>
      )}
      <div className="passage-fields">
        <NumberField
          label={words.factor}
          value={vessel.factor ?? 0.9}
          low={0.1}
          high={1.5}
          style={style}
          onChange={(factor) => onChange({ factor }, "factor")}
        />
        <NumberField
          label={words.motor}
          value={vessel.motor_speed_kt}
          low={0.5}
          high={100}
          style={style}
          onEmpty={() => onChange({ motor_speed_kt: undefined }, "motor")}
          onChange={(motor_speed_kt) => onChange({ motor_speed_kt }, "motor")}
        />
        {vessel.motor_speed_kt === undefined ? null : (
          <NumberField
            label={words.motorBelow}
            value={vessel.motor_below_kt ?? 3}
            low={0}
            high={100}
            style={style}
            onChange={(motor_below_kt) => onChange({ motor_below_kt }, "motor below")}
          />
        )}
      </div>
    </>
  );
}

/** A polar that is pasted or read from a file; it counts when it can be read. */
function OwnPolar({ vessel, style, onChange }: VesselFormProps) {
  const { vessel: words } = style.words;
  const help = useId();
  const [typed, setTyped] = useState(vessel.polar ?? "");
  const [fileName, setFileName] = useState("");
  const problem = problemOf(typed);
  const take = (text: string) => {
    setTyped(text);
    if (problemOf(text) === undefined) onChange({ polar: text }, "polar text");
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

/** What is wrong with a polar, as the service says it. */
function problemOf(text: string): string | undefined {
  try {
    readPolar(text);
    return undefined;
  } catch (error) {
    if (error instanceof PolarError) return error.message;
    throw error;
  }
}

const FASTEST_KT = 100;

/** Speeds of a motor vessel by significant height and side of the waves: typical ones until others are put in. */
function MotorForm({ vessel, style, onChange }: VesselFormProps) {
  const { vessel: words } = style.words;
  const { language } = style.zone.words;
  const table = vessel.table ?? typicalTable(vessel.speed_kt ?? 0);
  const change = (side: WaveSide, index: number, speed: number) => {
    const speeds = table[`${side}_kt`].map((former, place) => (place === index ? speed : former));
    onChange({ table: { ...table, [`${side}_kt`]: speeds } }, "table");
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
                      high={FASTEST_KT}
                      style={style}
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
        <Button onClick={() => onChange({ table: undefined }, "typical table")}>{words.backToTypical}</Button>
      ) : null}
    </details>
  );
}

/** A limit as it is typed: distances in nautical miles, all else as the service takes it. */
const scales: Partial<Record<LimitName, number>> = { storm_km: 1 / MILE_KM };

const HIGHEST = 10_000;

/** Each limit with its number. Those that are not changed are the usual ones of the vessel's kind. */
export function LimitsForm({ plan, style }: { plan: PlanWithVessel; style: PassageStyle }) {
  const { limits: names, limitsForm: words } = style.words;
  const { language } = style.zone.words;
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
              style={style}
              hint={
                value === null
                  ? words.off
                  : words.usual({ value: formatUngrouped(most, decimalsOf(most), language) })
              }
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

/** `A number from 0 to 100.` */
function boundsText(low: number, high: number, { words, zone }: PassageStyle): string {
  const text = (value: number) => formatUngrouped(value, decimalsOf(value), zone.words.language);
  return words.vessel.wrong({ low: text(low), high: text(high) });
}

function unitOf(name: LimitName): "knots" | "m" | "g" | "mm_h" | "j_kg" | "miles" {
  if (name === "storm_km") return "miles";
  if (name === "rain_mm_h") return "mm_h";
  if (name === "cape_j_kg") return "j_kg";
  if (name.endsWith("_kt")) return "knots";
  return name.endsWith("_g") ? "g" : "m";
}

const decimalsOf = (value: number) => (Number.isInteger(value) ? 0 : Number.isInteger(value * 10) ? 1 : 2);

interface NumberFieldProps {
  label: string;
  /** The label is for screen readers only, as in a table with headings. */
  quiet?: boolean;
  /** undefined: the field is empty. */
  value: number | undefined;
  low: number;
  high: number;
  style: PassageStyle;
  hint?: string;
  /** What an empty field means; without it it is wrong. */
  onEmpty?(): void;
  onChange(value: number): void;
}

/** A number that is typed; it counts as soon as it is one that is allowed. */
export function NumberField({
  label,
  quiet,
  value,
  low,
  high,
  style,
  hint,
  onEmpty,
  onChange,
}: NumberFieldProps) {
  const help = useId();
  const [typed, setTyped] = useState<{ text: string; of: number | undefined }>();
  // What is typed stands while it means the value, so that "6." is not taken away.
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
          {isWrong ? boundsText(low, high, style) : hint}
        </span>
      ) : null}
    </label>
  );
}
