import { CYCLE_S, type Storm, type StormSlot } from "#server/demo/cyclones/storm-tracks.ts";

/** Identifiers that agencies would give a demo storm. */
export interface Identity {
  /** ATCF basin: WP, SH, AL or EP. */
  basin: string;
  /** Number in its season; 90 to 99 for an invest. */
  number: number;
  /** Season year: of a southern season its second year. */
  season: number;
  /** At most ten letters, always beginning with DEMO; INVEST without a name. */
  name: string;
  /** ATCF subregion. */
  subregion: string;
}

const basins: Record<StormSlot, { basin: string; subregion: string; invest: boolean }> = {
  antimeridian: { basin: "WP", subregion: "W", invest: false },
  south: { basin: "SH", subregion: "S", invest: false },
  atlantic: { basin: "AL", subregion: "L", invest: false },
  invest: { basin: "EP", subregion: "E", invest: true },
  jmaInvest: { basin: "WP", subregion: "W", invest: true },
};

/** Three of these are in use at a time, and none is reused for 96 days. */
const NAMES = [
  ["ALFA", "BUOY", "COVE"],
  ["DELTA", "EBB", "FJORD"],
  ["GULF", "HAVEN", "INLET"],
  ["JETTY", "KELP", "LAGOON"],
  ["MAST", "NORTH", "OAR"],
  ["PIER", "QUAY", "REEF"],
  ["SAIL", "TIDE", "UMBRA"],
  ["VANE", "WAKE", "YAWL"],
] as const;

const nameColumn = { antimeridian: 0, south: 1, atlantic: 2 } as const;

export function identityOf(storm: Storm): Identity {
  const { basin, subregion, invest } = basins[storm.slot];
  const began = new Date(storm.begins * 1000);
  const southern = basin === "SH";
  const season = southern && began.getUTCMonth() >= 6 ? began.getUTCFullYear() + 1 : began.getUTCFullYear();
  const opens = southern ? Date.UTC(season - 1, 6, 1) / 1000 : Date.UTC(season, 0, 1) / 1000;
  const inSeason = 1 + Math.floor((storm.begins - opens) / CYCLE_S);
  const column = storm.slot in nameColumn ? nameColumn[storm.slot as keyof typeof nameColumn] : undefined;
  return {
    basin,
    number: invest ? 90 + (storm.cycle % 10) : inSeason,
    season,
    name: column === undefined ? "INVEST" : `DEMO${NAMES[storm.cycle % NAMES.length]![column]}`,
    subregion,
  };
}

/** Name of a deck: `wp012026`. */
export function deckId({ basin, number, season }: Identity): string {
  return `${basin.toLowerCase()}${String(number).padStart(2, "0")}${season}`;
}
