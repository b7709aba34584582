import { isobarsPart, waveHeightsPart } from "#components/map/isolines/isolines-part.ts";
import { particlesPart } from "#components/map/particles/particles-part.ts";
import { symbolsPart } from "#components/map/symbols/symbols-part.ts";
import { stormsPart } from "#components/storms/storms-part.ts";
import { basemapPart } from "./basemap-part.ts";
import { fieldPart } from "./field-part.ts";
import { graticulePart } from "./graticule-part.ts";
import type { OpenPart } from "./map-part.ts";
import { marksPart } from "./marks-part.ts";
import { namesPart } from "./names-part.ts";
import { reliefPart } from "./relief-part.ts";

/** What the map draws. The order does not matter: each says how high it lies. */
export const firstParts: readonly OpenPart[] = [basemapPart, reliefPart, fieldPart];

/** What it draws after the first field, so that nothing of theirs takes time from it. */
export const laterParts: readonly OpenPart[] = [
  isobarsPart,
  waveHeightsPart,
  symbolsPart,
  particlesPart,
  stormsPart,
  marksPart,
  graticulePart,
  namesPart,
];
