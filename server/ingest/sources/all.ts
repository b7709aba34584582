import { cmems } from "./cmems.ts";
import { cmemswave } from "./cmemswave.ts";
import { ecmwf } from "./ecmwf.ts";
import { ecmwfwave } from "./ecmwfwave.ts";
import { etopo } from "./etopo.ts";
import { gfs } from "./gfs.ts";
import { gfswave } from "./gfswave.ts";
import { hycom } from "./hycom.ts";
import { oisst } from "./oisst.ts";
import { smoc } from "./smoc.ts";
import type { Source } from "./source.ts";

/** All feeds that can be ingested. */
export const sources: readonly Source[] = [
  gfs,
  gfswave,
  ecmwf,
  ecmwfwave,
  cmemswave,
  smoc,
  hycom,
  cmems,
  oisst,
  etopo,
];
