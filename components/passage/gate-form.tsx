import type { Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { isAcrossLand, stationsAroundQuery, tideStationsQuery } from "#components/api-client/tide-queries.ts";
import { stationsNamed } from "#components/fields/place-suggestions.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { TideStation } from "#lib/contract/tides.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { type PlanGate, usePassageWords } from "./passage-format.tsx";
import { NumberField } from "./vessel-form.tsx";

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
          <GateRule gate={gate} datum={chosen?.datum ?? undefined} onChange={onChange} />
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

function GateRule({ gate, datum, onChange }: RuleProps) {
  const { gate: text } = usePassageWords().route;
  const number = (label: string, value: number, [low, high]: readonly [number, number], part: string) => (
    <NumberField
      label={label}
      value={value}
      low={low}
      high={high}
      onChange={(typed) => onChange({ ...gate, [part]: typed } as PlanGate, `gate ${part}`)}
    />
  );
  if (gate.kind === "slack") return number(text.within, gate.within_h, [0, 6], "within_h");
  const { station, name, wait } = gate;
  return (
    <>
      <Choice
        title={text.kind}
        options={(["height", "high_water"] as const).map((kind) => [kind, text.kinds[kind]] as const)}
        value={gate.kind}
        onChange={(kind) => kind !== gate.kind && onChange({ ...begins[kind], station, name, wait })}
      />
      {gate.kind === "height" ? (
        number(text.least({ datum: gate.datum ?? datum }), gate.min_m, [-20, 30], "min_m")
      ) : (
        <div className="passage-fields">
          {number(text.from, gate.from_h, [-12, Math.min(12, gate.to_h)], "from_h")}
          {number(text.to, gate.to_h, [Math.max(-12, gate.from_h), 12], "to_h")}
          <p className="passage-hint">{text.before}</p>
        </div>
      )}
    </>
  );
}
