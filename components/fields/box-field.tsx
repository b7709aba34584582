import type { Place } from "@open-metocean/geo/sphere";
import { useState } from "react";
import { TextField } from "#components/ui/text-field.tsx";
import { useWords } from "#components/words/words-context.ts";
import { type Edges, edgesAround, sides } from "./box-edges.ts";
import { PlaceField } from "./place-field.tsx";

interface Props {
  edges: Edges;
  /** The same as in `PlaceField`. */
  near: Place;
  onEdges(edges: Edges): void;
}

/**
 * Form fields for a box: that of a sea or around a place, found by name or position, or given by its edges.
 */
export function BoxField({ edges, near, onEdges }: Props) {
  const { area } = useWords("area");
  const [text, setText] = useState("");
  return (
    <div className="space-y-3">
      <PlaceField
        label={area.around}
        placeholder={area.placeholder}
        text={text}
        near={near}
        finds
        onText={setText}
        onFound={(target) => {
          setText("");
          onEdges(edgesAround(target));
        }}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-3">
        {sides.map((side) => (
          <TextField
            key={side}
            label={area.sides[side]}
            inputMode="decimal"
            autoComplete="off"
            value={edges[side]}
            onChange={(typed) => onEdges({ ...edges, [side]: typed })}
          />
        ))}
      </div>
    </div>
  );
}
