import "#components/api-client/without-eval.ts";
import { optimiseLimits } from "#lib/contract/passage-optimise.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { type DifferencePart, differencesOf } from "#lib/passage/optimise/order.ts";
import { HOUR_S } from "#lib/time.ts";
import { formatDuration, limitText, milesText, type PassageStyle } from "./passage-format.ts";
import type { BetterRequest } from "./passage-request.ts";
import type { FoundRoute } from "./use-better-route.ts";

/** Duration to the minute below this, to the hour from it on, s. */
const TO_THE_HOUR_S = 6 * HOUR_S;

/** `6 h later, 12 n mi longer, highest sea 2.1 m instead of 4.3 m`. */
export function differenceIn(
  found: FoundRoute,
  words: Messages["passage"]["better"],
  style: PassageStyle,
): string {
  const { own, plan, better } = found;
  const { difference: text } = words;
  const parts = differencesOf(own, plan, better.over_limits_s, better.weighted_over_limits_s).map((part) =>
    partText(part, text, style),
  );
  return parts.length > 0 ? parts.join(text.join) : words.same;
}

function partText(
  part: DifferencePart,
  text: Messages["passage"]["better"]["difference"],
  style: PassageStyle,
): string {
  const span = (seconds: number) => (seconds === 0 ? text.noTime : roundedSpan(seconds, style));
  switch (part.of) {
    case "arrival":
      return text.arrives;
    case "duration":
      return (part.difference > 0 ? text.later : text.earlier)({ span: span(Math.abs(part.difference)) });
    case "distance":
      return (part.difference > 0 ? text.longer : text.shorter)({
        distance: milesText(Math.abs(part.difference), style),
      });
    case "sea":
    case "wind": {
      const written = (value: number) =>
        limitText(part.of === "sea" ? "head_sea_m" : "wind_kt", value, style);
      return text[part.of]({ better: written(part.better), own: written(part.own) });
    }
    case "over":
    case "weighted":
      return text[part.of]({ better: span(part.better), own: span(part.own) });
  }
}

function roundedSpan(seconds: number, style: PassageStyle): string {
  const to = seconds < TO_THE_HOUR_S ? 60 : HOUR_S;
  return formatDuration(Math.round(seconds / to) * to, style);
}

/** Why nothing is searched. */
export function refusalText(
  request: Extract<BetterRequest, { as: "refused" }>,
  { refused }: Messages["passage"]["better"],
  style: PassageStyle,
): string {
  if (request.why === "loop" || request.why === "vessel") return refused[request.why];
  const hours = (count: number) => formatDuration(count * HOUR_S, style);
  const { distance_nm: miles, hours: most } = optimiseLimits;
  switch (request.why) {
    case "distance":
      return refused.distance({ miles: milesText(request.miles, style), most: milesText(miles, style) });
    case "forecast":
      return refused.forecast({ span: hours(request.hours), known: hours(request.known) });
    case "hours":
    case "at_once":
      return refused.hours({ span: hours(request.hours), most: hours(most.async) });
  }
}
