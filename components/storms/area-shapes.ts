import type { Feature, Geometry } from "geojson";
import type { Likelihood } from "#lib/contract/likelihoods.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { unwrappedLine } from "#lib/geo/unwrap.ts";
import type { Words } from "#lib/messages/words.ts";
import { ofWire } from "#lib/storms/wire.ts";
import { type AreaOfInterest, areaName, coversTime, formatChanceLabel } from "./format-area.ts";

interface AreaProperties {
  /** An area where a storm may form, the corridor of an alert, or the symbol of an area that is no invest. */
  kind: "area" | "alert" | "centre";
  /** Of the storm or area whose details a click shows. */
  id: string;
  selected: boolean;
  likelihood: Likelihood;
  icon?: string;
  label?: string;
}

/** How long after its end an alert is drawn: until its successor must have been received, seconds. */
const LAPSED_S = 6 * 3600;

/**
 * Areas of interest and formation alerts as shapes whose longitudes continue across ±180.
 *
 * @param entries The storms of the same scene: an area that is an invest has the symbol of its invest.
 * @param time Instant that the map shows, Unix seconds: what says nothing of it is not drawn.
 */
export function areaShapes(
  areas: readonly AreaOfInterest[],
  entries: readonly StormEntry[],
  selected: string | null,
  time: number,
  words: Words,
): Feature<Geometry, AreaProperties>[] {
  const ids = new Set(entries.map(({ id }) => id));
  const alerts = entries.flatMap(({ id, formation_alert: alert }) => {
    if (!alert || time < alert.issued_at - LAPSED_S || time > alert.valid_until + LAPSED_S) return [];
    const likelihood = alert.likelihood ?? "high";
    return [shape(polygonOf(alert.corridor.map(ofWire)), { kind: "alert", id, likelihood })];
  });
  const others = areas.flatMap((area) => {
    if (!coversTime(area, time)) return [];
    const isInvest = area.storm_id !== null && ids.has(area.storm_id);
    const id = isInvest ? area.storm_id! : area.id;
    const { likelihood } = area;
    const at = areaPlace(area);
    return [
      ...(area.polygon ? [shape(polygonOf(area.polygon.map(ofWire)), { kind: "area", id, likelihood })] : []),
      ...(isInvest || !at
        ? []
        : [
            shape(
              { type: "Point", coordinates: [at.longitude, at.latitude] },
              {
                kind: "centre",
                id,
                likelihood,
                icon: `storm-area-${likelihood}`,
                label: `${areaName(area, words)}\n${formatChanceLabel(area, words)}`,
              },
            ),
          ]),
    ];
  });
  return [...others, ...alerts];

  function shape(
    geometry: Geometry,
    properties: Omit<AreaProperties, "selected">,
  ): Feature<Geometry, AreaProperties> {
    return {
      type: "Feature",
      geometry,
      properties: { ...properties, selected: properties.id === selected },
    };
  }
}

function polygonOf(ring: readonly Place[]): Geometry {
  const coordinates = unwrappedLine(ring).map(({ latitude, longitude }) => [longitude, latitude]);
  return { type: "Polygon", coordinates: [coordinates] };
}

/** Where an area is: its stated place, else the middle of its box; undefined where its text states neither. */
export function areaPlace({ place, polygon }: Pick<AreaOfInterest, "place" | "polygon">): Place | undefined {
  if (place) return ofWire(place);
  if (!polygon) return undefined;
  const line = unwrappedLine(polygon.map(ofWire));
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  return {
    latitude: middle(line.map(({ latitude }) => latitude)),
    longitude: middle(line.map(({ longitude }) => longitude)),
  };
}
