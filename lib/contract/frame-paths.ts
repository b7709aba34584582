/**
 * Path of a frame.
 *
 * @param frames From the manifest.
 * @param chunk `all`, or `<row>.<column>` counted in chunks from the south-west corner.
 */
export function framePath(frames: string, time: string, level: string, chunk: string): string {
  return `${frames}/${[time, level, chunk].map(encodeURIComponent).join("/")}`;
}

/** Path prefix of a run's frames of one variable, for requests with an API key. */
export function framesPath({ dataset, run, variable }: FramesOf): string {
  return `/2DMetOcean/frames/${[dataset, run, variable].map(encodeURIComponent).join("/")}`;
}

/**
 * Path prefix of a run's frames of one variable, for requests without a key, which a signed grant authorises.
 */
export function signedFramesPath(grant: string, { dataset, run, variable }: FramesOf): string {
  return `/2DMetOcean/signed-frames/${[grant, dataset, run, variable].map(encodeURIComponent).join("/")}`;
}

/** Identifies the frames of a variable of a run. */
export interface FramesOf {
  dataset: string;
  run: string;
  variable: string;
}
