import type { PassagePiece, PassagePlan } from "#lib/contract/passage-reply.ts";
import { escapeMarkup } from "#lib/markup.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import type { About } from "#lib/table/table.ts";

/** Of the extensions: attributes of `met:piece` have the names and units of a piece in JSON. */
const NAMESPACE = "urn:open-metocean:passage:1";

const utf8 = new TextEncoder();

/**
 * Plans as GPX 1.1: a route a departure, its points where and when the pieces begin and end, with what the piece after a point
 * is like in `extensions`. A plan without pieces is a waypoint at its end.
 */
export function* passageGpx(
  plans: readonly PassagePlan[],
  about: About,
): Generator<Uint8Array, void, undefined> {
  yield utf8.encode(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<gpx version="1.1" creator="${SERVICE_NAME}" xmlns="http://www.topografix.com/GPX/1/1" xmlns:met="${NAMESPACE}">`,
      `<metadata><desc>${escapeMarkup([about.notice, about.provenance].join(". "))}</desc></metadata>`,
      "",
    ].join("\n"),
  );
  // Waypoints come before routes.
  for (const plan of plans)
    if (!plan.pieces) yield utf8.encode(`<wpt ${placed(plan.end, described(plan))}</wpt>\n`);
  for (const plan of plans) if (plan.pieces) yield utf8.encode(routeOf(plan, plan.pieces));
  yield utf8.encode("</gpx>\n");
}

function routeOf(plan: PassagePlan, pieces: readonly PassagePiece[]): string {
  const points = pieces.map(
    (piece) => `<rtept ${placed(piece.start)}<extensions>${extension(piece)}</extensions></rtept>`,
  );
  return `<rte>${described(plan)}\n${points.join("\n")}\n<rtept ${placed(plan.end)}</rtept></rte>\n`;
}

/** A point as far as its extensions. @param inside Its name and description. */
function placed({ latitude, longitude, timestamp }: PassagePlan["end"], inside = ""): string {
  return `lat="${latitude}" lon="${longitude}"><time>${timestamp}</time>${inside}`;
}

function described({ departure, arrival, verdict, deciding }: PassagePlan): string {
  const why = deciding ? ` (${deciding.by})` : "";
  const ends = arrival === null ? "does not arrive" : `arrives ${arrival}`;
  return `<name>${departure}</name><desc>${escapeMarkup(`${verdict}${why}, ${ends}`)}</desc>`;
}

function extension({ start, at, conditions, flags, nearest_limit, ...piece }: PassagePiece): string {
  const values = { ...piece, ...conditions, flags: flags.join(" "), weather_at: at.timestamp };
  const attributes = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined || value === "" ? [] : [`${name}="${escapeMarkup(String(value))}"`],
  );
  return `<met:piece ${attributes.join(" ")}/>`;
}
