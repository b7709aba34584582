import { edrFormats, tideLocationQuery, tideLocationsQuery } from "#lib/contract/edr.ts";
import { idParameter, queryParameters } from "#lib/contract/openapi.ts";
import { tideLimits } from "#lib/contract/tides.ts";
import { EdrQueryError, readBbox, readDatetime } from "#lib/edr/queries.ts";
import { TIDE_HEIGHT, TIDES, tideCollection, tideCoverage, tideLocations } from "#lib/edr/tides.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { detailReply, jsonReply } from "#server/http/reply.ts";
import { readOperation } from "./definition.ts";
import { baseOf, edrAnswerIn, readingQuery } from "./edr.ts";
import { GEOJSON } from "./storms.ts";
import { inTurn } from "./tides.ts";

const path = `/edr/collections/${TIDES}/locations`;

const { first, last } = tideLimits.years;
const extent = [`${first}-01-01T00:00:00Z`, `${last}-12-31T23:59:59Z`] as const;

export const describedTides = (base: string) => tideCollection(base, extent);

const cached = { "cache-control": "private, max-age=300" };

export const edrTideLocations = readOperation(
  {
    route: `GET ${path}`,

    group: "frames",
    query: tideLocationsQuery,
    operationId: "getEdrTideLocations",
    summary: "Tide stations as locations",
    errors: "EdrError",
    parameters: queryParameters(tideLocationsQuery),
    replies: edrAnswerIn(GEOJSON),
  },
  async (read) => {
    const { query, context, request } = read;
    const box = await readingQuery(() => (query.bbox === undefined ? undefined : readBbox(query.bbox)));
    const { limit, offset } = query;
    const base = baseOf(request, context);
    const found = await inTurn(read, (tides) =>
      tides.stations({ kind: "tide", bbox: box, within: 0, limit, offset }),
    );
    const next = new URLSearchParams(request.query);
    next.set("offset", String(offset + limit));
    const link = (href: string, rel: string) => ({ href, rel, type: GEOJSON });
    const self = request.query.size > 0 ? `?${request.query}` : "";
    const links = [
      link(`${base}${path}${self}`, "self"),
      ...(offset + limit < found.total ? [link(`${base}${path}?${next}`, "next")] : []),
    ];
    const features = tideLocations(base, found.results);
    return jsonReply(
      200,
      {
        type: "FeatureCollection",
        links,
        numberMatched: found.total,
        numberReturned: features.length,
        attribution: found.attribution,
        features,
      },
      { ...cached, "content-type": GEOJSON },
    );
  },
);

/** Steps of a range: short ones are drawn as curves. */
const STEPS = [
  { upToS: 10 * DAY_S, minutes: 10 },
  { upToS: Number.POSITIVE_INFINITY, minutes: 60 },
] as const;

const USUAL_S = 2 * DAY_S;

export const edrTideLocation = readOperation(
  {
    route: `GET ${path}/{location_id}`,

    group: "frames",
    query: tideLocationQuery,
    operationId: "getEdrTideLocation",
    summary: "Heights of the tide at a station",
    description:
      "Returns heights at a time, or over a range of at most 366 days: every 10 minutes up to 10 days, otherwise " +
      "every hour. Heights are above the chart datum that `datum` names.",
    errors: "EdrError",
    parameters: [
      idParameter("location_id", { operationId: "getEdrTideLocations", pointer: "/features/0/id" }),
      ...queryParameters(tideLocationQuery),
    ],
    replies: edrAnswerIn(edrFormats.CoverageJSON),
  },
  async (read) => {
    const { query, context, request } = read;
    const now = context.weather.now();
    const range = await readingQuery(() => {
      const asked = readDatetime(query.datetime);
      const names = query["parameter-name"]?.split(",") ?? [];
      if (names.some((name) => name.trim() !== TIDE_HEIGHT))
        throw new EdrQueryError(`parameter-name: this collection has ${TIDE_HEIGHT}`);
      const [first, last] = extent.map(parseInstant) as [number, number];
      const from = Number.isFinite(asked.from)
        ? asked.from
        : Math.max(first, Math.min(Math.floor(now / HOUR_S) * HOUR_S, asked.to - USUAL_S));
      // The end of a range is in it.
      const to = Number.isFinite(asked.to) ? asked.to + 1 : Math.min(from + USUAL_S, last + 1);
      if (from < first || to > last + 1)
        throw new EdrQueryError(`datetime: this collection has times from ${extent[0]} to ${extent[1]}`);
      if (asked.isInstant) return { from, to, minutes: 1 };
      const { minutes } = STEPS.find(({ upToS }) => to - from <= upToS + 1)!;
      return { from, to, minutes };
    });
    const prediction = await inTurn(
      read,
      (tides) =>
        tides.station(request.params.location_id!, {
          from: formatInstant(range.from),
          to: formatInstant(range.to),
          step: range.minutes,
          days: 1,
          now,
        }),
      () => "datetime",
    );
    if (prediction.kind !== "tide") return detailReply(404, "This station has streams and no heights");
    return jsonReply(200, tideCoverage(prediction), { ...cached, "content-type": edrFormats.CoverageJSON });
  },
);
