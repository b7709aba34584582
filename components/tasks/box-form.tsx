import { useState } from "react";
import { TextField } from "#components/ui/text-field.tsx";
import { map2dVariables, variable } from "#lib/catalog/variables.ts";
import { type Map2dVariable, mapLimits } from "#lib/contract/map2d.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { readDecimal, readInstant } from "#lib/points/point-list.ts";
import { formatInstant } from "#lib/time.ts";
import { boxBytes, boxValues, formatDuration, runSeconds } from "./estimate.ts";
import { type KindFormProps, TaskForm } from "./task-form.tsx";

const sides = [
  ["south", "South, °N"],
  ["north", "North, °N"],
  ["west", "West, °E"],
  ["east", "East, °E"],
] as const;

/** The form for a box of the map over a time range. */
export function BoxForm({ now, given, known, busy, failure, onSubmit }: KindFormProps) {
  const repeated = given?.kind === "2DMetOcean" ? given.body : undefined;
  const box = repeated?.bounding_boxes[0];
  const [from = formatInstant(now), to = formatInstant(now + 86_400)] =
    typeof box?.timestamp === "string" ? [box.timestamp, box.timestamp] : (box?.timestamp ?? []);
  const [name, setName] = useState<Map2dVariable>(repeated?.variable ?? "wind");
  const [edges, setEdges] = useState({
    south: String(box?.latitude[0] ?? 40),
    north: String(box?.latitude[1] ?? 60),
    west: String(box?.longitude[0] ?? -30),
    east: String(box?.longitude[1] ?? 0),
  });
  const [times, setTimes] = useState({ from, to });

  const [south, north, west, east] = sides.map(([side]) => readDecimal(edges[side])) as [
    number,
    number,
    number,
    number,
  ];
  const [start, end] = [readInstant(times.from), readInstant(times.to)];
  const hours = (end - start) / 3600;
  const fields = variable(name).outputs.length;
  const values = boxValues([south, north], [west, east], hours, fields);
  const problem = !(Math.abs(south) <= 90 && Math.abs(north) <= 90 && south <= north)
    ? "The latitudes should be −90 to 90, the southern one first."
    : !(Math.abs(west) <= 180 && Math.abs(east) <= 180)
      ? "The longitudes should be −180 to 180; a western one that is greater crosses 180°."
      : !(hours >= 0)
        ? "The times should be written as 2026-09-15T12:00:00Z, the first one first."
        : hours > 24 * mapLimits.rangeDays
          ? `At most ${mapLimits.rangeDays} days fit into one request.`
          : values > mapLimits.async
            ? `About ${values.toLocaleString("en")} values are more than one task may have (${mapLimits.async.toLocaleString("en")}): a smaller box or a shorter time fits.`
            : undefined;

  return (
    <TaskForm
      given={repeated}
      busy={busy}
      failure={failure}
      problem={problem}
      estimate={`About ${values.toLocaleString("en")} values, ${formatBytes(boxBytes(values))} as JSON, ${formatDuration(runSeconds("2DMetOcean", values, known))} of work.`}
      onSubmit={(common) =>
        onSubmit({
          kind: "2DMetOcean",
          body: {
            ...common,
            variable: name,
            bounding_boxes: [
              {
                latitude: [south, north],
                longitude: [west, east],
                timestamp: start === end ? formatInstant(start) : [formatInstant(start), formatInstant(end)],
              },
            ],
          },
        })
      }
    >
      <label className="form-field">
        What
        <select
          className="field"
          value={name}
          onChange={(event) => setName(event.target.value as Map2dVariable)}
        >
          {map2dVariables.map((one) => (
            <option key={one} value={one}>
              {variable(one).title}
            </option>
          ))}
        </select>
      </label>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {sides.map(([side, label]) => (
          <TextField
            key={side}
            label={label}
            inputMode="decimal"
            value={edges[side]}
            onChange={(value) => setEdges({ ...edges, [side]: value })}
          />
        ))}
      </div>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {(["from", "to"] as const).map((end) => (
          <TextField
            key={end}
            label={end === "from" ? "From, UTC" : "To, UTC"}
            className="tabular-nums"
            value={times[end]}
            onChange={(value) => setTimes({ ...times, [end]: value })}
          />
        ))}
      </div>
    </TaskForm>
  );
}
