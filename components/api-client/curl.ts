/** Environment variable from which commands and programs read the key. */
export const KEY_VARIABLE = "METOCEAN_KEY";

export interface CurlRequest {
  method: string;
  url: string;
  needsKey: boolean;
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** File that receives the answer; if absent, the answer is printed. */
  fileName?: string | undefined;
}

/** Writes a request as a shell command that reads the key from `$METOCEAN_KEY`. */
export function curlOf({ method, url, needsKey, headers, body, fileName }: CurlRequest): string {
  const isPlain = method === "GET" || (method === "POST" && body !== undefined);
  const lines = [
    `curl --fail-with-body${isPlain ? "" : ` -X ${method}`} ${shell(url)}`,
    ...(needsKey ? [`-H "x-api-key: $${KEY_VARIABLE}"`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shell(body)}`]),
    ...(fileName === undefined ? [] : [`-o ${fileName}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Writes a POST of a page to its own service as a shell command. @param path `/MetOcean`. */
export const curlOfBody = (path: string, body: object, fileName?: string): string =>
  curlOf({
    method: "POST",
    url: window.location.origin + path,
    needsKey: true,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    fileName,
  });

/** A shell does not interpret anything within single quotes. */
const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
