import "#components/api-client/without-eval.ts";
import { useEffect } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { showDownloadArea, useDownloadArea } from "#components/view-state/download-area.ts";
import { useWords } from "#components/words/words-context.ts";
import { fileLimits } from "#lib/contract/files.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { viewOfBox } from "#lib/geo/drawn-box.ts";
import { areaKinds, boxOfEdges, type Draft, filledIn, type ShownView, sides } from "./file-draft.ts";

interface Props {
  draft: Draft;
  shown: ShownView;
  onChange(part: Partial<Draft>): void;
  onDraw(): void;
  onShow(box: ViewBox): void;
}

/** Where: the view, a box that is drawn or typed, around a storm, or along the planned passage. */
export function AreaFields({ draft, shown, onChange, onDraw, onShow }: Props) {
  const { area: words } = useWords("download").download;
  const { isDrawing } = useDownloadArea();
  const { edges, storm } = filledIn(draft, shown);
  const box = draft.area === "box" ? boxOfEdges(edges) : undefined;
  const { south, north, west, east } = box ?? {};
  // The frame on the map is that of the fields.
  useEffect(() => {
    const isBox = south !== undefined && north !== undefined && west !== undefined && east !== undefined;
    showDownloadArea({ box: isBox ? viewOfBox({ south, north, west, east }) : undefined, isOwn: isBox });
  }, [south, north, west, east]);
  const miles = (name: "radius" | "halfWidth", label: string) => (
    <TextField
      key={name}
      label={label}
      inputMode="decimal"
      defaultValue={draft[name]}
      onChange={(text) => {
        const number = readTypedDecimal(text);
        if (number > 0 && number <= fileLimits.miles) onChange({ [name]: number });
      }}
    />
  );
  return (
    <div className="space-y-3">
      <Choice
        title={words.title}
        options={areaKinds.map((kind) => [kind, words.kinds[kind]] as const)}
        value={draft.area}
        onChange={(area) => onChange({ area, ...(area === "box" && { edges }) })}
      />
      {draft.area === "view" ? <p className="text-muted text-sm">{words.follows}</p> : null}
      {draft.area === "view" || draft.area === "box" ? (
        <>
          <div className="grid grid-cols-2 gap-3">
            {sides.map((side) => (
              <TextField
                key={side}
                label={words.sides[side]}
                inputMode="decimal"
                autoComplete="off"
                value={edges[side]}
                onChange={(text) => onChange({ area: "box", edges: { ...edges, [side]: text } })}
              />
            ))}
          </div>
          <div className="flex flex-wrap gap-2">
            <button type="button" className="button px-3" aria-pressed={isDrawing} onClick={onDraw}>
              {words.draw}
            </button>
            {box ? (
              <button type="button" className="button px-3" onClick={() => onShow(viewOfBox(box))}>
                {words.show}
              </button>
            ) : null}
          </div>
        </>
      ) : null}
      {draft.area === "storm" ? (
        storm ? (
          <>
            <label className="form-field">
              {words.storm}
              <select
                className="field"
                value={storm.id}
                onChange={({ target }) => onChange({ storm: target.value })}
              >
                {shown.storms.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
            {miles("radius", words.radius)}
          </>
        ) : (
          <p className="text-sm">{words.noStorms}</p>
        )
      ) : null}
      {draft.area === "route" ? (
        shown.route.length > 0 ? (
          miles("halfWidth", words.width)
        ) : (
          <p className="text-sm">{words.noRoute}</p>
        )
      ) : null}
    </div>
  );
}
