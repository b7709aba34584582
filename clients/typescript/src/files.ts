import type { FileEstimate, FileRequest } from "./contract/files.ts";
import { UnexpectedReplyError } from "./errors.ts";
import { type CallOptions, posted, read, type Service } from "./request.ts";

export type FileNow = Omit<FileRequest, "async" | "estimate">;

/** Files of boxes, routes and storms, for navigation programs and analysis: `POST /files`. */
export const fileOperations = (service: Service) => ({
  /** The file, in the format that the body names. */
  get: async (body: FileNow, options?: CallOptions): Promise<Response> => {
    const reply = await service.send("/files", posted(body, options));
    if (!reply.headers.get("content-type")?.startsWith("application/json")) return reply;
    await service.json(reply);
    throw new UnexpectedReplyError("The service answered JSON in place of a file");
  },

  /** How large it will be. */
  estimate: (body: FileNow, options?: CallOptions) =>
    read<FileEstimate>(service, "/files", posted({ ...body, estimate: true }, options)),
});
