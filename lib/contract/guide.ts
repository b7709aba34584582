import { mediaTypeNames } from "./media-types.ts";

/** A part of the guide: paragraphs of plain text, with `code` between backquotes. */
export interface GuidePart {
  title: string;
  paragraphs: readonly string[];
}

/** What the service is. */
export const guideSummary =
  "Weather and ocean conditions at points and times. Directions are degrees clockwise from true north: wind and waves FROM, " +
  "currents TO. null means that there is no value: land, ice, or outside the archive.";

const formats = [...new Set(Object.values(mediaTypeNames).map(({ name }) => name))];

/** What holds for every operation; the API page shows it, and the OpenAPI document has it in its description. */
export const guide: readonly GuidePart[] = [
  {
    title: "Authentication",
    paragraphs: [
      "Send the API key in the header `x-api-key`; never in the address. Clients that cannot send that header may send the key as the password of HTTP Basic, with any name. A missing key is 403, a wrong one 401. Tasks, watches and channels belong to the owner of the key.",
      "Where the operator lets visitors in, some operations need no key; the page of an operation says which.",
    ],
  },
  {
    title: "Requests",
    paragraphs: [
      'Bodies are `application/json` in UTF-8, not compressed. Types are strict: `"35"` is not a number. Unknown fields are ignored.',
      "Times are UTC in exactly the form `2026-01-01T00:00:00Z`. Latitudes are degrees north, longitudes degrees east from −180 to 180.",
      "`Idempotency-Key` on a POST makes it safe to repeat: for 24 hours the same body under the same key gets the same answer or task again.",
    ],
  },
  {
    title: "Answers and tasks",
    paragraphs: [
      'An answer is `{"task_id", "status": "SUCCESS", "result"}`. A valid request that could not be processed is 200 with `"status": "FAILURE"` and an `error`.',
      "Large requests become tasks: 202 with a `task_id`. `GET /task/{task_id}` has the progress and then the result, `GET /task/{task_id}/events` the progress as server-sent events.",
    ],
  },
  {
    title: "Formats",
    paragraphs: [
      `JSON by default, another format by \`Accept\`, with the same numbers: ${formats.slice(1).join(", ")}. Each operation has its own; the page of an operation lists its own.`,
    ],
  },
  {
    title: "Rate limits",
    paragraphs: [
      "Requests count for each key and group of operations. Every counted reply has `RateLimit-Policy` and `RateLimit`; beyond the limit it is 429 with `Retry-After`, in seconds. `GET /limits` lists every limit in force.",
    ],
  },
  {
    title: "Errors",
    paragraphs: [
      'An error is JSON: `{"detail": "…"}`, for 422 a list in `detail` with `type`, `loc` and `msg` of each fault, for 429 `{"error": "…"}`. 503 is our own outage or overload, with `Retry-After`. Every reply has `X-Request-Id`: quote it in a report.',
    ],
  },
];

/** The guide as CommonMark. */
export const guideText = [
  guideSummary,
  ...guide.flatMap(({ title, paragraphs }) => [`## ${title}`, ...paragraphs]),
].join("\n\n");
