import type { FileEstimate, FileRequest } from "./contract/files.ts";
import { type CallOptions, checkedFile, posted, read, type Service } from "./request.ts";

/** A file that is answered at once; one that is larger is a task. */
export type FileNow = Omit<FileRequest, "async" | "estimate">;

const types = { grib2: "application/x-grib2", netcdf: "application/x-netcdf", csv: "text/csv" };

/** Files of boxes, routes and storms, for navigation programs and analysis: `POST /files`. */
export const fileOperations = (service: Service) => ({
  /** The file, in the format that the body names. */
  get: async (body: FileNow, options?: CallOptions): Promise<Response> =>
    checkedFile(service, await service.send("/files", posted(body, options)), types[body.format ?? "grib2"]),

  /** How large it will be. */
  estimate: (body: FileNow, options?: CallOptions) =>
    read<FileEstimate>(service, "/files", posted({ ...body, estimate: true }, options)),
});
