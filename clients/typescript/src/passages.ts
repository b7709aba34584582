import type { PassageMediaType } from "./contract/media-types.ts";
import type { OptimiseRequest, PassageRequest } from "./contract/passages.ts";
import type { PassageResponse } from "./contract/plans.ts";
import { type CallOptions, posted, read, readFile, type Service } from "./request.ts";

/** Passages that are answered at once; larger ones are tasks. */
export type EvaluateNow = Omit<PassageRequest, "async">;
export type OptimiseNow = Omit<OptimiseRequest, "async">;

/** What a vessel meets on its way. */
export const passageOperations = (service: Service) => ({
  /** The plan of each departure, with its weather and a verdict: `POST /passages/evaluate`. */
  evaluate: (body: EvaluateNow, options?: CallOptions) =>
    read<PassageResponse>(service, "/passages/evaluate", posted(body, options)),

  /** The own route and a better one: `POST /passages/optimise`. */
  optimise: (body: OptimiseNow, options?: CallOptions) =>
    read<PassageResponse>(service, "/passages/optimise", posted(body, options)),

  /** As `evaluate`, as a file. */
  evaluateFile: (body: EvaluateNow, type: PassageMediaType, options?: CallOptions): Promise<Response> =>
    readFile(service, "/passages/evaluate", type, posted(body, options)),

  /** As `optimise`, as a file. */
  optimiseFile: (body: OptimiseNow, type: PassageMediaType, options?: CallOptions): Promise<Response> =>
    readFile(service, "/passages/optimise", type, posted(body, options)),
});
