/** Where a command or a program finds its key. */
export const KEY_VARIABLE = "METOCEAN_KEY";

export interface CurlRequest {
  method: string;
  url: string;
  needsKey: boolean;
  /** Names in small letters. */
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** What the answer is written to; it is printed where this is left out. */
  fileName?: string | undefined;
}

/** A request as a command of a shell, which reads the key from `$METOCEAN_KEY`. */
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

/** The same of what a page sends to its own service. @param path `/MetOcean`. */
export const curlOfBody = (path: string, body: object, fileName?: string): string =>
  curlOf({
    method: "POST",
    url: window.location.origin + path,
    needsKey: true,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    fileName,
  });

/** In single quotes a shell changes nothing. */
const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
