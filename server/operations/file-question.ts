import { type FileRequest, fileFormats } from "#lib/contract/files.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { Box } from "#lib/geo/box.ts";
import { corridorAround } from "#lib/geo/corridor.ts";
import { MILE_KM, type Place } from "#lib/geo/sphere.ts";
import { estimatedOctets } from "#lib/grib2/field-messages.ts";
import { parseInstant } from "#lib/time.ts";
import { type MaskOf, nodesWhere } from "#server/metocean/box.ts";
import { type BoxPlan, type BoxQuestion, boxOutputs, componentOutputs } from "#server/metocean/box-plan.ts";
import { ProcessingError } from "#server/platform/errors.ts";

/** What a file is of: a box, and which places in it. */
export interface FileQuestion {
  question: BoxQuestion;
  maskOf?: MaskOf | undefined;
}

/** @param storm That of an area around a storm. */
export function fileQuestion(request: FileRequest, storm: StormEntry | undefined): FileQuestion {
  const { variables, from, to, step_hours, stride, wind_height, format } = request;
  const { box, contains } = areaOf(request.area, storm);
  const names = [...new Set(variables)];
  return {
    question: {
      box,
      variables: names,
      from: parseInstant(from),
      to: parseInstant(to),
      stepHours: step_hours,
      stride,
      windHeight: wind_height,
      outputs: format === "grib2" ? componentOutputs(names, wind_height) : boxOutputs(names),
    },
    maskOf: contains && nodesWhere(contains),
  };
}

function areaOf(
  area: FileRequest["area"],
  storm: StormEntry | undefined,
): { box: Box; contains?: (place: Place) => boolean } {
  if (area.type === "box") {
    const [south = -90, north = 90] = area.latitude;
    const [west = -180, east = 180] = area.longitude;
    return { box: { south, north, west, east } };
  }
  if (area.type === "route") return corridorAround(area.waypoints, area.half_width_nm * MILE_KM);
  const track = storm ? trackOf(storm) : [];
  if (track.length === 0) throw new ProcessingError(`Nothing is known of where the storm ${area.id} is`);
  return corridorAround(track, area.radius_nm * MILE_KM);
}

/** Where a storm was last, and where its forecast takes it. */
function trackOf({ tracks }: StormEntry): Place[] {
  const marks = [...tracks.observed.slice(-1), ...(tracks.forecast?.points ?? [])];
  return marks.map(({ lat, lon }) => ({ latitude: lat, longitude: lon }));
}

/** Octets of a number and a place in lines of text, about. */
const CSV = { number: 6, place: 38 };
const NETCDF = { number: 8, head: 3000 };

/** About how many octets a file has. */
export function estimatedBytes({ format, packing }: FileRequest, plan: BoxPlan): number {
  const { times, latitude, longitude, variables, values } = plan;
  const nodes = latitude.length * longitude.length;
  if (format === "grib2") return times.length * estimatedOctets(variables, nodes, packing);
  if (format === "netcdf") return NETCDF.head + values * NETCDF.number;
  return times.length * nodes * CSV.place + values * CSV.number;
}

/** Media type of the file that was asked for. */
export function fileType({ format, packing }: Pick<FileRequest, "format" | "packing">) {
  return fileFormats[format][packing];
}
