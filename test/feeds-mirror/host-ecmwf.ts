import { ecmwfFields } from "./forecast-fields.ts";
import { entries, type GribField, type GribFile, gribPieces } from "./grib-object.ts";
import { globe } from "./planet.ts";
import { type Host, type Piece, type Published, textPiece, timeOf, type Variant } from "./published.ts";

const HOUR_S = 3600;
const DAY_S = 86_400;

/** Centre of the messages, which use a local table with ECMWF's own parameters. */
const ECMWF = { code: 98, tablesVersion: 27, localTablesVersion: 1, process: 154 };
const LAST_LEAD = 360;
const LAST_OF_SHORT = 144;
const FIRST_CYCLE = Date.UTC(2023, 0, 18) / 1000;
/** Publication of the first and the last step of a cycle, seconds after its base time. */
const APPEARS = { first: 6.5 * HOUR_S, last: 7.5 * HOUR_S };

const NAME =
  /^\/(\d{8})\/(\d\d)z\/ifs\/0p25\/(oper|wave|scda|scwv)\/(\d{10})0000-(\d+)h-(oper|wave|scda|scwv)-fc\.(grib2|index)$/;

/** A host with ECMWF's open data at 0.25°. @param delay Delay after ECMWF's own server, seconds. */
export function ecmwfHost(prefix: string, delay: number, keepsDays?: number): Host {
  return ({ path }, planet) => {
    const [, day, hour, called, stamp, digits, same, kind] = NAME.exec(path.slice(prefix.length)) ?? [];
    if (!path.startsWith(prefix) || day === undefined || stamp !== `${day}${hour}` || same !== called) {
      return undefined;
    }
    const cycle = timeOf(day, hour);
    const lead = Number(digits);
    if (!(cycle >= FIRST_CYCLE) || cycle % (6 * HOUR_S) !== 0 || !isLead(cycle, lead)) return undefined;
    const stream = called === "oper" || called === "scda" ? "oper" : "wave";
    if (called !== nameOf(stream, cycle)) return undefined;
    const published: Published = {
      from: cycle + APPEARS.first + ((APPEARS.last - APPEARS.first) * lead) / LAST_LEAD + delay,
      pieces: (variant) => {
        const base = cycle - variant.hoursEarlier * HOUR_S;
        const file: GribFile = {
          key: `ecmwf:${stream}:${base}:${lead}`,
          centre: ECMWF,
          // The first longitude of these files is 180.
          grid: globe(planet.resolution, 180),
          fields: ecmwfFields(stream, base, lead),
        };
        return kind === "grib2" ? gribPieces(file, variant) : [ecmwfIndex(file, called, lead, variant)];
      },
    };
    if (keepsDays !== undefined) published.until = cycle + keepsDays * DAY_S;
    if (kind === "index") published.indexOf = path.replace(/index$/, "grib2");
    return published;
  };
}

/** Name of the stream. Until 12 May 2026 the cycles of 06 and 18 UTC were streams of their own. */
function nameOf(stream: "oper" | "wave", cycle: number): string {
  const isOwn = cycle < Date.UTC(2026, 4, 12, 6) / 1000 && new Date(cycle * 1000).getUTCHours() % 12 === 6;
  return isOwn ? { oper: "scda", wave: "scwv" }[stream] : stream;
}

/** Whether a lead exists: three-hourly to 144 h, then six-hourly in the cycles of 00 and 12 UTC. */
function isLead(cycle: number, lead: number): boolean {
  if (lead <= LAST_OF_SHORT) return lead % 3 === 0;
  return cycle % (12 * HOUR_S) === 0 && lead <= LAST_LEAD && lead % 6 === 0;
}

/** The type of a field, and the number of a perturbed member; the lines of a control lack it. */
function typeOf({ ensemble }: GribField) {
  if (!ensemble) return { type: "fc" };
  return ensemble.part === 0 ? { type: "cf" } : { type: "pf", number: String(ensemble.part) };
}

/** The index, one JSON object per line. */
export function ecmwfIndex(file: GribFile, stream: string, lead: number, variant: Variant): Piece {
  const lines = entries(file, variant).map(({ field, offset, length }) => {
    const iso = new Date(field.validity.cycle * 1000).toISOString();
    return `${JSON.stringify({
      domain: "g",
      date: iso.slice(0, 10).replaceAll("-", ""),
      time: `${iso.slice(11, 13)}00`,
      expver: "0001",
      class: "od",
      ...typeOf(field),
      stream,
      step: String(lead),
      levtype: "sfc",
      param: field.element,
      _offset: offset,
      _length: length,
    })}\n`;
  });
  return textPiece(lines.join(""), variant.wholeIndex);
}
