import "#components/api-client/without-eval.ts";
import type { Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type FieldPath, useForm } from "react-hook-form";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { isAcrossLand, stationsAroundQuery, tideStationsQuery } from "#components/api-client/tide-queries.ts";
import { contractResolver } from "#components/fields/contract-resolver.ts";
import { NumberField, usedAsTyped } from "#components/fields/number-field.tsx";
import { stationsNamed } from "#components/fields/place-suggestions.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { NumberRange } from "#lib/contract/number-range.ts";
import { gateForm } from "#lib/contract/passage.ts";
import type { TideStation } from "#lib/contract/tides.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { type PlanGate, usePassageStyle, usePassageWords } from "./passage-format.tsx";
import { rangeText } from "./vessel-form.tsx";

interface Props {
  place: Place;
  gate: PlanGate | undefined;
  /** @param of What is changed, as in `changePlan`. */
  onChange(gate: PlanGate | undefined, of?: string): void;
}

/** Initial values of each kind of gate. */
const begins = {
  height: { kind: "height", min_m: 2 },
  slack: { kind: "slack", within_h: 0.5 },
  high_water: { kind: "high_water", from_h: -2, to_h: 2 },
} as const;

/** The tidal gate of a waypoint: when it is open, and its station, which is near or was found by name. */
export function GateForm({ place, gate, onChange }: Props) {
  const { gate: text } = usePassageWords().route;
  const [search, setSearch] = useState("");
  const { data: stations, error, refetch } = useStations(place, search.trim());
  const words = useWords();
  const title = (station: TideStation) => {
    const { name, kind, distance_km: km } = station;
    return [
      name,
      kind === "stream" ? text.kinds.slack : "",
      km === undefined ? "" : formatMiles(km, words),
      isAcrossLand(station) ? words.position.acrossLand : "",
    ]
      .filter(Boolean)
      .join(" · ");
  };
  const choose = (id: string) => {
    const station = stations?.find((one) => one.id === id);
    if (!station) return;
    const about = { station: id, name: station.name, wait: gate?.wait ?? false };
    if (station.kind === "stream") return onChange({ ...begins.slack, ...about });
    if (!gate || gate.kind === "slack") return onChange({ ...begins.height, ...about });
    // The height referred to a datum of the other station.
    onChange({ ...(gate.kind === "height" ? { ...gate, datum: undefined } : gate), ...about });
  };
  const chosen = stations?.find(({ id }) => id === gate?.station);
  const isListed = chosen !== undefined || gate === undefined;
  return (
    <fieldset className="flex flex-col gap-2.5 border-line border-t pt-2">
      <legend className="sr-only">{text.heading}</legend>
      <label className="form-field">
        {text.station}
        <select className="field" value={gate?.station ?? ""} onChange={({ target }) => choose(target.value)}>
          {gate ? null : <option value="" />}
          {isListed ? null : <option value={gate.station}>{gate.name ?? gate.station}</option>}
          {stations?.map((station) => (
            <option key={station.id} value={station.id}>
              {title(station)}
            </option>
          ))}
        </select>
      </label>
      {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : null}
      <TextField label={text.search} value={search} maxLength={100} autoComplete="off" onChange={setSearch} />
      <p role="status" className={stations?.length === 0 ? "text-sm" : "sr-only"}>
        {stations?.length === 0 ? text.none : ""}
      </p>
      {gate ? (
        <>
          <GateRule
            key={`${gate.kind} ${gate.station}`}
            gate={gate}
            datum={chosen?.datum ?? undefined}
            onChange={onChange}
          />
          <Checkbox checked={gate.wait ?? false} onChange={(wait) => onChange({ ...gate, wait })}>
            {text.wait}
          </Checkbox>
          <Button className="self-start px-3" onClick={() => onChange(undefined)}>
            {text.remove}
          </Button>
        </>
      ) : null}
    </fieldset>
  );
}

/** Stations near a place, or found by name. */
function useStations(place: Place, name: string) {
  const key = useApiKey();
  const isNamed = name.length > 1;
  const near = useQuery({
    ...stationsAroundQuery(key ?? "", place, 10),
    enabled: key !== undefined && !isNamed,
  });
  const named = useQuery({
    ...tideStationsQuery(key ?? "", name),
    select: (found) => stationsNamed(found, name, place).map(({ station }) => station),
    enabled: key !== undefined && isNamed,
    placeholderData: (before) => before,
  });
  return isNamed ? named : near;
}

interface RuleProps extends Pick<Props, "onChange"> {
  gate: PlanGate;
  datum: string | undefined;
}

/** Checks the rule of a gate by the contract. */
export const gateCheck = (rangeText: (range: NumberRange) => string) =>
  contractResolver({
    schema: gateForm,
    // A field that is absent is none of the rule's.
    bodyOf: (gate: PlanGate) =>
      Object.fromEntries(Object.entries(gate).filter(([, value]) => value !== undefined)),
    fieldOf: ({ path: [name] }) => name as FieldPath<PlanGate>,
    textOf: ({ code, range }, gate) => {
      const [least, most] = range!;
      // A gate closes no earlier than it opens.
      return rangeText([code === "custom" && gate.kind === "high_water" ? gate.from_h : least, most]);
    },
  });

function GateRule({ gate, datum, onChange }: RuleProps) {
  const style = usePassageStyle();
  const { gate: text } = usePassageWords().route;
  const form = useForm<PlanGate, unknown, unknown>({
    ...usedAsTyped,
    values: gate,
    resolver: gateCheck((range) => rangeText(range, style)),
  });
  const { kind, station, name, wait } = gate;
  const number = (
    label: string,
    part: "within_h" | "min_m" | "from_h" | "to_h",
    along?: FieldPath<PlanGate>[],
  ) => (
    <NumberField
      form={form}
      name={part}
      {...(along && { along })}
      label={label}
      onUse={() => onChange(form.getValues(), `gate ${part}`)}
    />
  );
  if (kind === "slack") return number(text.within, "within_h");
  return (
    <>
      <Choice
        title={text.kind}
        options={(["height", "high_water"] as const).map((one) => [one, text.kinds[one]] as const)}
        value={kind}
        onChange={(next) => next !== kind && onChange({ ...begins[next], station, name, wait })}
      />
      {kind === "height" ? (
        number(text.least({ datum: gate.datum ?? datum }), "min_m")
      ) : (
        <div className="passage-fields">
          {number(text.from, "from_h", ["to_h"])}
          {number(text.to, "to_h", ["from_h"])}
          <p className="text-muted text-xs">{text.before}</p>
        </div>
      )}
    </>
  );
}
