import "#components/api-client/without-eval.ts";
import { useState } from "react";
import { TextField } from "#components/ui/text-field.tsx";
import { useWords } from "#components/words/words-context.ts";
import { map2dVariables, variable } from "#lib/catalog/variables.ts";
import { type Map2dVariable, mapLimits } from "#lib/contract/map2d.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { readInstant } from "#lib/points/point-list.ts";
import { formatInstant } from "#lib/time.ts";
import { boxBytes, boxValues, formatDuration, runSeconds } from "./estimate.ts";
import { type KindFormProps, TaskForm } from "./task-form.tsx";

const sides = ["south", "north", "west", "east"] as const;

/** The form for a box of the map over a time range. */
export function BoxForm({ now, given, known, busy, failure, onSubmit }: KindFormProps) {
  const words = useWords("tasks");
  const { box: text } = words.tasks;
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

  const [south, north, west, east] = sides.map((side) => readTypedDecimal(edges[side])) as [
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
    ? text.wrongLatitudes
    : !(Math.abs(west) <= 180 && Math.abs(east) <= 180)
      ? text.wrongLongitudes
      : !(hours >= 0)
        ? text.wrongTimes
        : hours > 24 * mapLimits.rangeDays
          ? text.tooLong({ days: mapLimits.rangeDays })
          : values > mapLimits.async
            ? text.tooMany({ count: values, most: mapLimits.async })
            : undefined;

  return (
    <TaskForm
      given={repeated}
      busy={busy}
      failure={failure}
      problem={problem}
      estimate={text.estimate({
        count: values,
        size: formatBytes(boxBytes(values), words),
        duration: formatDuration(runSeconds("2DMetOcean", values, known), words),
      })}
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
        {text.what}
        <select
          className="field"
          value={name}
          onChange={(event) => setName(event.target.value as Map2dVariable)}
        >
          {map2dVariables.map((one) => (
            <option key={one} value={one}>
              {words.catalog.variables[one]}
            </option>
          ))}
        </select>
      </label>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {sides.map((side) => (
          <TextField
            key={side}
            label={text.sides[side]}
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
            label={text[end]}
            className="tabular-nums"
            value={times[end]}
            onChange={(value) => setTimes({ ...times, [end]: value })}
          />
        ))}
      </div>
    </TaskForm>
  );
}
