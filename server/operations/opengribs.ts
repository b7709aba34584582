import { type OpengribsModel, readOpengribs, statusModels } from "#lib/opengribs/request.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { isSynthetic, type Manifest } from "#server/archive/run.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { countAddress } from "#server/http/authenticate.ts";
import { addressGroup, hostOf } from "#server/http/client-address.ts";
import { detailReply, HttpError, noStore, syntheticHeader } from "#server/http/reply.ts";
import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import { type OperationDefinition, openOperation } from "./definition.ts";
import { runsOfModel } from "./opengribs-file.ts";

/**
 * The OpenGribs protocol, which XyGrib and OpenCPN ask for GRIB2 files, as the setting OPENGRIBS switches it on. Every
 * problem is a reply of 200 with a text that the program shows, because the programs read nothing else.
 */
export const opengribs: readonly OperationDefinition[] = [
  openOperation({ route: "GET /getmygribs2.php" }, async (request, context) => {
    try {
      return await offer(request, context);
    } catch (error) {
      return textReply(wordsOf(error, request, context));
    }
  }),
  openOperation({ route: "GET /getstatus2.php" }, async (request, context) => {
    await countAddress(request, context, GROUP, context.opengribs!.limit);
    const manifest = await context.archive.manifest();
    const states = Object.entries(statusModels).map(([name, model]) => [name, stateOf(model, manifest)]);
    return jsonOnOneLine(Object.fromEntries(states), manifest);
  }),
  openOperation({ route: "GET /downloads/{number}/{name}" }, async (request, context) => {
    const { number = "", name = "" } = request.params;
    const { files, limit } = context.opengribs!;
    await countAddress(request, context, GROUP, limit);
    const body = await files.read(number, name);
    if (!body)
      throw new HttpError(detailReply(404, "There is no such file. Files are deleted after an hour."));
    return {
      status: 200,
      // A navigation program compares the SHA-1 of the bytes that it receives.
      headers: { "content-type": "application/octet-stream", "cache-control": "no-store, no-transform" },
      body,
    };
  }),
].map((operation) => ({ ...operation, isOn: ({ opengribs: on }: Context) => on !== undefined }));

const GROUP = "opengribs";

async function offer(request: ApiRequest, context: Context): Promise<Reply> {
  const { files, limit } = context.opengribs!;
  await countAddress(request, context, GROUP, limit);
  const asked = readOpengribs(request.query);
  if (typeof asked === "string") return textReply(asked);
  const origin = originFor(request, context);
  if (origin === undefined) return textReply("The request does not name the host of this server.");
  await context.ensureData?.();
  const manifest = await context.archive.manifest();
  const owner = addressGroup(request.address);
  const file = await files.file(owner, asked, manifest, context.weather.now(), request.signal);
  const { path, bytes, sha1, missing } = file;
  const message = { url: `${origin}${path}`, size: bytes, sha1, ...(missing.length > 0 && { missing }) };
  return jsonOnOneLine({ status: true, message }, manifest);
}

/** The file is asked for at the address by which the program found the service; undefined if that is not known. */
function originFor(request: ApiRequest, { linkBase }: Context): string | undefined {
  const host = hostOf(`http://${request.header("host") ?? ""}`);
  return host ? `http://${host}` : linkBase;
}

/** The text that a program shows for a failure. */
function wordsOf(error: unknown, request: ApiRequest, { log }: Context): string {
  if (request.signal.aborted) throw error;
  if (error instanceof HttpError) {
    const { error: text = "The file could not be made" } = JSON.parse(String(error.reply.body)) as {
      error?: string;
    };
    return `${text}. Please try again later.`;
  }
  if (error instanceof ProcessingError) return error.message;
  if (error instanceof UnavailableError) return `${error.message} Please try again later.`;
  log.error({ err: error, requestId: request.id }, "a file of the OpenGribs protocol could not be made");
  return "The file could not be made. Please try again later.";
}

/** Base time of the newest run of a model, and when the next one is expected. */
function stateOf(model: OpengribsModel, manifest: Manifest): Record<string, string> {
  const [run] = runsOfModel(manifest, model);
  if (!run) return { reference: "not available", posted_at: "", status: "waiting", eta: "" };
  const { rhythm } = run;
  const base = formatInstant(run.referenceTime);
  const next = rhythm && formatInstant(run.referenceTime + (rhythm.every + rhythm.delay) * HOUR_S);
  return { reference: base, posted_at: base, status: "waiting", eta: next ?? "" };
}

const textReply = (text: string): Reply => jsonReplyOf({ status: false, message: text }, {});

function jsonOnOneLine(value: object, manifest: Manifest): Reply {
  return jsonReplyOf(value, isSynthetic(manifest) ? syntheticHeader : {});
}

/** OpenCPN searches the text of the reply, in which slashes are escaped as PHP does it. */
function jsonReplyOf(value: object, headers: Reply["headers"]): Reply {
  const body = JSON.stringify(value).replaceAll("/", "\\/");
  return { status: 200, headers: { "content-type": "application/json", ...noStore, ...headers }, body };
}
