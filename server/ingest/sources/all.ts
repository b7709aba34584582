import { cmems } from "./cmems.ts";
import { etopo } from "./etopo.ts";
import { gfs } from "./gfs.ts";
import { gfswave } from "./gfswave.ts";
import { oisst } from "./oisst.ts";
import type { Source } from "./source.ts";

/** All feeds that can be ingested. */
export const sources: readonly Source[] = [gfs, gfswave, cmems, oisst, etopo];
