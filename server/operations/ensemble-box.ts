import { type Output, variable } from "#lib/catalog/variables.ts";
import type { BoxEnsemble } from "#lib/contract/ensemble.ts";
import { type MapRequest, mapLimits } from "#lib/contract/map2d.ts";
import { mediaTypeNames } from "#lib/contract/media-types.ts";
import { mapPieces } from "#lib/field/serialise.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { ensembleFor, manifestOfEnsemble, membersWith } from "#server/archive/ensembles.ts";
import type { Manifest } from "#server/archive/run.ts";
import { boxFigures, readEnsembleBox } from "#server/ensembles/box.ts";
import type { Reply } from "#server/http/api-request.ts";
import { invalid } from "#server/http/reply.ts";
import { type BoxPlan, mapQuestion, planBox } from "#server/metocean/box-plan.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import { mapAnswerFormats as formats } from "./answer-formats.ts";
import type { RequestJob } from "./definition.ts";
import { envelopeReply, repeatedAsSent } from "./envelope-reply.ts";
import { requireEnsemble } from "./models.ts";

/** Memory of an answer: its values, and columns of members of some nodes, bytes. */
const BYTES_PER_VALUE = 4;

/** The largest box of an ensemble: it is answered at once, because tasks know no ensembles. */
const sizeLimit = { max: mapLimits.sync, instead: "one after another" };

/** Answers a box from an ensemble: statistics of its members, or the members. */
export async function ensembleBoxReply(job: RequestJob<MapRequest>, asked: BoxEnsemble): Promise<Reply> {
  const { body, context, now, request } = job;
  const loc = ["body", "ensemble"];
  refuseCombinations(body, asked);
  if (asked.name !== undefined) await requireEnsemble(context.archive, asked.name, [...loc, "name"]);
  refuseFormat(preferredType(request.header("accept"), ["application/json", ...Object.keys(formats)]), asked);
  const withPlan = <Result>(use: (runs: Manifest, plan: BoxPlan, members: readonly number[]) => Result) =>
    withManifest(context.archive, async (manifest) => {
      const ensemble = asked.name ?? ensembleFor(manifest, [body.variable]) ?? "";
      const runs = manifestOfEnsemble(manifest, ensemble);
      const members = membersWith(manifest, ensemble, body.variable);
      if (asked.members && members.length === 0) throw noMembers(body.variable);
      const layers = Math.max(members.length, figureCount(body, asked));
      return use(runs, planBox(runs, { ...mapQuestion(body), layers }, now, sizeLimit), members);
    });
  const values = await withPlan((_, plan) => plan.values);
  const reply = await envelopeReply(job, { formats, bytes: BYTES_PER_VALUE * values }, async ({ signal }) => {
    const read = (runs: Manifest, plan: BoxPlan, members: readonly number[]) =>
      readEnsembleBox(context.archive, runs, plan, body.variable, members, asked, now, signal);
    const answer = await withPlan(read);
    return { ...answer, results: { pieces: () => mapPieces(answer.field) } };
  });
  return repeatedAsSent(reply);
}

/** The ensemble keeps no members, and the request asks for them. */
function noMembers(name: string) {
  const msg = `The archive keeps no members of ${name} of this ensemble: ask for statistics`;
  return invalid({ type: "value_error", loc: ["body", "ensemble", "members"], msg });
}

/** How many numbers the answer has of the output that has most. */
function figureCount({ variable: name }: MapRequest, asked: BoxEnsemble): number {
  return Math.max(...variable(name).outputs.map((output: Output) => boxFigures(output, asked)?.length ?? 0));
}

function refuseCombinations(body: MapRequest, asked: BoxEnsemble) {
  const { async, models } = body;
  const { members, percentiles, thresholds } = asked;
  const refuse = (loc: string[], msg: string) => invalid({ type: "value_error", loc: ["body", ...loc], msg });
  if (models) throw refuse(["models"], "A box is answered by models or by an ensemble, not by both");
  if (async) throw refuse(["async"], "Boxes of ensembles are answered at once: request smaller ones");
  if (members && percentiles.length + thresholds.length > 0)
    throw refuse(
      ["ensemble", "members"],
      "A box has members or statistics: leave out percentiles and thresholds, or members",
    );
  if (!members && figureCount(body, asked) === 0)
    throw refuse(
      ["ensemble"],
      `Nothing of ${body.variable} is asked for: name statistics, percentiles or thresholds of it, or members`,
    );
}

/** Refuses formats that have no place for what is requested. */
function refuseFormat(type: string, { members, percentiles, thresholds, statistics }: BoxEnsemble): void {
  const name = mediaTypeNames[type]?.name;
  const refuse = (msg: string) => invalid({ type: "value_error", loc: ["body", "ensemble"], msg });
  if (members && type === "application/vnd.metocean.field+binary")
    throw refuse(`The format ${name} does not name members: choose another format`);
  const isGrib = type === "application/x-grib2" || type === "application/x-grib2-complex";
  const others = statistics.filter((one) => one !== "mean" && one !== "spread");
  if (isGrib && !members && percentiles.length + thresholds.length + others.length > 0)
    throw refuse(`The format ${name} has members, or the statistics mean and spread: leave out the others`);
}
