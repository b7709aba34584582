/**
 * Path of a frame.
 *
 * @param frames As the manifest gives it.
 * @param chunk `all`, or `<row>.<column>` counted in chunks from the south-west corner.
 */
export function framePath(frames: string, time: string, level: string, chunk: string): string {
  return `${frames}/${[time, level, chunk].map(encodeURIComponent).join("/")}`;
}

/** Path below which the frames of a variable of a run are, for whoever sends a key. */
export function framesPath({ dataset, run, variable }: FramesOf): string {
  return `/2DMetOcean/frames/${[dataset, run, variable].map(encodeURIComponent).join("/")}`;
}

/** The same for whoever has the grant. */
export function signedFramesPath(grant: string, { dataset, run, variable }: FramesOf): string {
  return `/2DMetOcean/signed-frames/${[grant, dataset, run, variable].map(encodeURIComponent).join("/")}`;
}

/** Which frames. */
export interface FramesOf {
  dataset: string;
  run: string;
  variable: string;
}
