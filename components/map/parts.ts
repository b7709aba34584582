import { basemapPart } from "#components/map/basemap-part.ts";
import { fieldPart } from "#components/map/field-part.ts";
import { graticulePart } from "#components/map/graticule-part.ts";
import { isolinesPart } from "#components/map/isolines/isolines-part.ts";
import type { OpenPart } from "#components/map/map-part.ts";
import { marksPart } from "#components/map/marks-part.ts";
import { namesPart } from "#components/map/names-part.ts";
import { particlesPart } from "#components/map/particles/particles-part.ts";
import { symbolsPart } from "#components/map/symbols/symbols-part.ts";
import { stormsPart } from "#components/storms/storms-part.ts";

/** All that the map draws. Their order does not matter: each says how high it lies. */
export const parts: readonly OpenPart[] = [
  basemapPart,
  fieldPart,
  isolinesPart,
  symbolsPart,
  particlesPart,
  stormsPart,
  marksPart,
  graticulePart,
  namesPart,
];
