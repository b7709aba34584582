import { useEffect, useRef } from "react";
import { ICON_RATIO, stormIcon } from "#components/storms/storm-icons.ts";
import type { Theme } from "#components/view-state/themes.ts";
import type { SymbolRow } from "./symbol-row.ts";

/** Symbols, tracks and areas of storms. @param boxes Whether boxes round their winds are drawn. */
export function stormRows(theme: Theme | undefined, boxes: boolean): SymbolRow[] {
  const icon = (...names: string[]) =>
    names.map((name) => <StormPicture key={name} name={`storm-${name}`} theme={theme} />);
  return [
    {
      id: "hurricane",
      picture: icon("north-hu3", "south-hu3"),
      meaning:
        "Hurricane or typhoon with its category, 1 to 5; it turns anticlockwise north of the equator, clockwise south of it.",
    },
    { id: "tropical storm", picture: icon("north-ts"), meaning: "Tropical storm." },
    { id: "depression", picture: icon("north-td"), meaning: "Tropical depression." },
    { id: "invest", picture: icon("invest"), meaning: "Area of interest (invest): no depression yet." },
    {
      id: "remnant",
      picture: icon("low"),
      meaning: "What is left of a storm, or one that is no longer tropical.",
    },
    {
      id: "track",
      picture: <StormLines kind="track" />,
      meaning: "Track of a storm: observed, then forecast in dashes, with rings at the forecast's own times.",
    },
    {
      id: "cone",
      picture: <StormLines kind="cone" />,
      meaning:
        "Cone: where the centre may go. Its winds reach beyond it, as the shaded rings round the centre tell.",
    },
    ...(boxes
      ? [
          {
            id: "box",
            picture: <StormLines kind="box" />,
            meaning: "Box round the winds of the storm that is open; dashed where their reach is estimated.",
          },
        ]
      : []),
  ];
}

/** A storm's symbol as the map draws it. */
function StormPicture({ name, theme }: { name: string; theme: Theme | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme sets the colours that are read
  useEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext("2d", { willReadFrequently: true });
    if (!element || !pen) return;
    const style = getComputedStyle(element);
    const token = (of: string) => style.getPropertyValue(`--map-${of}`).trim();
    const image = stormIcon(name, { storm: token("storm"), ink: token("ink"), halo: token("halo") });
    element.width = image.width;
    element.height = image.height;
    pen.putImageData(image, 0, 0);
    element.style.width = `${image.width / ICON_RATIO}px`;
  }, [name, theme]);
  return (
    <span aria-hidden="true">
      <canvas ref={canvas} className="h-auto w-8" />
    </span>
  );
}

function StormLines({ kind }: { kind: "track" | "cone" | "box" }) {
  const storm = "var(--map-storm)";
  return (
    <svg width="44" height="20" fill="none" strokeWidth="1.8" aria-hidden="true">
      {kind === "track" ? (
        <>
          <path d="M1 16 20 10" stroke={storm} />
          <path d="M20 10 43 4" stroke={storm} strokeDasharray="4 3" />
          <circle cx="31" cy="7" r="3" stroke={storm} fill="var(--surface)" />
        </>
      ) : null}
      {kind === "cone" ? (
        <path
          d="M2 10C14 6 24 2 34 2A8 8 0 0 1 34 18C24 18 14 14 2 10Z"
          stroke={storm}
          fill={storm}
          fillOpacity="0.18"
          strokeWidth="1"
        />
      ) : null}
      {kind === "box" ? (
        <>
          <path d="M3 3h17v14h-17z" stroke="var(--map-ink)" />
          <path d="M25 3h16v14h-16z" stroke="var(--map-ink)" strokeDasharray="3 3" />
        </>
      ) : null}
    </svg>
  );
}
