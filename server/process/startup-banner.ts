/** Where the server is to be found, and the key to show to whoever started it, if any. */
export interface Place {
  host: string;
  port: number;
  key?: string;
  /** A time that a request may ask for, as the API writes it. */
  time: string;
}

/**
 * What the console says once the server listens: an address to open, the key, and a curl line that works.
 *
 * The key stands in the fragment, which a browser never sends to a server.
 */
export function startupBanner({ host, port, key, time }: Place): string {
  const base = `http://${hostInUrl(host)}:${port}`;
  if (!key) {
    return [
      "",
      `  Open MetOcean   ${base}/`,
      '  A new key       npm run metocean -- keys create --owner <name> --limit "600 per 1 minute"',
      "",
    ].join("\n");
  }
  return [
    "",
    `  Open MetOcean   ${base}/#key=${encodeURIComponent(key)}`,
    `  API key         ${key}`,
    "",
    "  Try it:",
    `  curl -s ${base}/MetOcean -H 'x-api-key: ${key.replaceAll("'", "'\\''")}' -H 'content-type: application/json' \\`,
    `    -d '{"points":[{"latitude":0,"longitude":-30,"timestamp":"${time}"}],"variables":["wind"]}'`,
    "",
  ].join("\n");
}

/** A server that listens everywhere is opened at this machine's own name; IPv6 stands in brackets. */
function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
