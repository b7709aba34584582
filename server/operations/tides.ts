import { createHash } from "node:crypto";
import type { z } from "zod";
import { hourFrom } from "#lib/contract/examples.ts";
import {
  idParameter,
  jsonContent,
  notModified,
  otherFormats,
  queryParameters,
  rateLimited,
  reply,
} from "#lib/contract/openapi.ts";
import {
  nearestTideQuery,
  tideFormats,
  tideLimits,
  tideQuery,
  tideStationsQuery,
  tidesNowQuery,
} from "#lib/contract/tides.ts";
import { predictionCalendar, predictionCsv, predictionFeature, stationFeatures } from "#lib/tides/formats.ts";
import { parseInstant } from "#lib/time.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { conditionalReply, detailReply, HttpError, invalid, jsonReply } from "#server/http/reply.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import { PredictionError, UnknownStationError } from "#server/tides/errors.ts";
import type { StationQuestion } from "#server/tides/period.ts";
import type { Prediction, Tides } from "#server/tides/tides.ts";
import { queuedJob, type ReadRequest, readOperation } from "./definition.ts";
import { baseOf } from "./edr.ts";

/** Predictions never change, but the part of an answer that describes the present moment does. */
const cached = { "cache-control": "private, max-age=60" };

const limits = { tides: tideLimits };

const twoDays = (now: number) => ({ parameters: { from: hourFrom(now, 0), to: hourFrom(now, 48) } });

export const tideStationList = readOperation(
  {
    route: "GET /tides/stations",
    limits,
    // A page sends requests while a name is typed.
    group: "tasks",
    openToGuests: true,
    query: tideStationsQuery,
    operationId: "getTideStations",
    summary: "Stations of tides and tidal streams",
    description:
      "Finds stations by name, around a place or in a box, or lists all of them, in pages; the Link header has the " +
      "next page. Stations whose licence forbids commercial use are listed only if the operator turned them on.",
    parameters: queryParameters(tideStationsQuery),
    replies: {
      "200": {
        description: "A page of stations",
        headers: rateLimited,
        content: { ...jsonContent("TideStations"), ...otherFormats([tideFormats.geojson]) },
      },
      "422": reply("The query breaks a rule", "ValidationError"),
    },
  },
  async (read) => {
    const { query, request } = read;
    const { kind, search, bbox, within_km: within, offset, limit } = query;
    const place = query.lat === undefined ? undefined : { latitude: query.lat, longitude: query.lon! };
    const found = await inTurn(read, (tides) =>
      tides.stations({ kind, search, bbox, place, within, offset, limit }),
    );
    const next = new URLSearchParams(request.query);
    next.set("offset", String(offset + limit));
    const link = offset + limit < found.total && { link: `<${request.path}?${next}>; rel="next"` };
    const headers = { ...cached, vary: "X-API-Key, Accept", ...link };
    const type = typeOf(query.f, request, ["json", "geojson"]);
    if (type === "json") return jsonReply(200, found, headers);
    return jsonReply(200, stationFeatures(found), { ...headers, "content-type": tideFormats.geojson });
  },
);

const answers = {
  "200": {
    description: "The prediction of the station",
    headers: rateLimited,
    content: {
      ...jsonContent("TidePrediction", "StreamPrediction"),
      ...otherFormats([tideFormats.csv, tideFormats.geojson, tideFormats.ics]),
    },
  },
  ...notModified,
  "422": reply("The query breaks a rule, or names a datum that the station lacks", "ValidationError"),
};

export const nearestTide = readOperation(
  {
    route: "GET /tides",
    limits,
    group: "tasks",
    openToGuests: true,
    query: nearestTideQuery,
    operationId: "getNearestTide",
    summary: "Tide or stream at the nearest station",
    description:
      "Returns the prediction of the station that is nearest by water, with its distance. A station on the other " +
      "side of land never answers. If no station is near enough, the reply is 404 and names the nearest ones.",
    parameters: queryParameters(nearestTideQuery),
    example: twoDays,
    replies: { ...answers, "404": reply("No station is near enough", "DetailError") },
  },
  (read) => {
    const { lat, lon, kind, within_km: within, f, ...period } = read.query;
    const place = { latitude: lat, longitude: lon };
    return predictionReply(read, f, period, (tides, question) =>
      tides.nearest({ ...question, place, kind, within }),
    );
  },
);

export const tideOfStation = readOperation(
  {
    route: "GET /tides/{station_id}",
    limits,
    group: "tasks",
    openToGuests: true,
    query: tideQuery,
    operationId: "getTide",
    summary: "Tide or stream at a station",
    description:
      "High and low waters, or slacks and fastest streams, from 1900 to 2100, with a curve if step is given. " +
      "Heights are above the datum that the answer names. Predictions are astronomical: wind, air pressure and " +
      "rivers are not included.",
    parameters: [
      idParameter("station_id", { operationId: "getTideStations", pointer: "/results/0/id" }),
      ...queryParameters(tideQuery),
    ],
    example: twoDays,
    replies: { ...answers, "404": reply("No such station", "DetailError") },
  },
  (read) => {
    const { f, ...period } = read.query;
    return predictionReply(read, f, period, (tides, question) =>
      tides.station(read.request.params.station_id!, question),
    );
  },
);

export const tideView = readOperation(
  {
    route: "GET /tides/now",
    limits,
    group: "frames",
    openToGuests: true,
    query: tidesNowQuery,
    operationId: "getTidesNow",
    summary: "Heights and streams in a box at one time",
    description: `For maps: values as columns, of at most ${tideLimits.view} stations; if the box has more, an even choice of them.`,
    parameters: queryParameters(tidesNowQuery),
    replies: {
      "200": reply("Heights and streams", "TidesNow"),
      "422": reply("The query breaks a rule", "ValidationError"),
    },
  },
  async (read) => {
    const { bbox, kind, at: asked } = read.query;
    const at = asked === undefined ? read.context.weather.now() : parseInstant(asked);
    return jsonReply(200, await inTurn(read, (tides) => tides.view({ bbox, kind, at })), cached);
  },
);

type Format = keyof typeof tideFormats;

function typeOf(f: Format | undefined, request: ApiRequest, names: readonly [Format, ...Format[]]): Format {
  if (f !== undefined) return f;
  const [first, ...rest] = names;
  const type = preferredType(request.header("accept"), [
    tideFormats[first],
    ...rest.map((name) => tideFormats[name]),
  ]);
  return names.find((name) => tideFormats[name] === type)!;
}

const DAYS = { table: 2, calendar: 31 };

/** Replies with a prediction in the requested format. */
async function predictionReply(
  read: Read,
  f: Format | undefined,
  { alarm, ...period }: Omit<z.output<typeof tideQuery>, "f">,
  predict: (tides: Tides, question: StationQuestion) => Promise<Prediction>,
): Promise<Reply> {
  const { context, request } = read;
  const type = typeOf(f, request, ["json", "csv", "geojson", "ics"]);
  const now = context.weather.now();
  const days = type === "ics" ? DAYS.calendar : DAYS.table;
  const prediction = await inTurn(read, (tides) => predict(tides, { ...period, days, now }));
  const headers = { ...cached, vary: "X-API-Key, Accept" };
  const text = (body: string) => ({
    status: 200,
    headers: { ...headers, "content-type": `${tideFormats[type]}; charset=utf-8` },
    body,
  });
  switch (type) {
    case "csv":
      return text(predictionCsv(prediction));
    case "ics": {
      const url = `${baseOf(request, context)}/tides/${prediction.station.id}`;
      const body = predictionCalendar(prediction, url, alarm);
      const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
      return conditionalReply(request, etag, headers["cache-control"], () => text(body), headers.vary);
    }
    case "geojson":
      return jsonReply(200, predictionFeature(prediction), {
        ...headers,
        "content-type": tideFormats.geojson,
      });
    default:
      return jsonReply(200, prediction, headers);
  }
}

type Read = Pick<ReadRequest<unknown>, "caller" | "context" | "request">;

/**
 * Waits for the tides thread and calls it. Errors of the module become HTTP errors.
 *
 * @param named Names that the caller has for parameters of the module.
 * @throws OverloadError
 */
export async function inTurn<Answer>(
  { caller, context, request }: Read,
  ask: (tides: Tides) => Promise<Answer>,
  named = (parameter: string) => parameter,
): Promise<Answer> {
  try {
    return await context.queues.tides.run(queuedJob(caller.owner, request), () => ask(context.tides));
  } catch (error) {
    if (error instanceof UnknownStationError) throw new HttpError(detailReply(404, error.message));
    if (!(error instanceof PredictionError)) throw error;
    const [name = "", ...rest] = error.message.split(": ");
    throw invalid({
      type: "value_error",
      loc: ["query", named(name)],
      msg: `Value error, ${rest.join(": ")}`,
    });
  }
}
