import { useEffect, useRef } from "react";
import { type MapColours, mapColours, type Theme } from "#components/view-state/map-colours.ts";

/** Draws an icon of the map, by its name and in the colours of the theme. */
export type DrawIcon<Name extends string> = (name: Name, colours: MapColours) => ImageData;

interface Props<Name extends string> {
  draw: DrawIcon<Name>;
  name: Name;
  theme: Theme | undefined;
}

/** An icon of the map, in a row of the legend. */
export function MapIcon<Name extends string>({ draw, name, theme }: Props<Name>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the theme
  useEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext("2d", { willReadFrequently: true });
    if (!element || !pen) return;
    const image = draw(name, mapColours(element));
    element.width = image.width;
    element.height = image.height;
    pen.putImageData(image, 0, 0);
  }, [draw, name, theme]);
  return (
    <span aria-hidden="true">
      <canvas ref={canvas} className="h-auto w-8" />
    </span>
  );
}
