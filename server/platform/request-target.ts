/** Path and query of a request target, `/MetOcean/?a=1` or `http://host/MetOcean`. */
export interface RequestTarget {
  /** Decoded path without a trailing slash; unchanged where its escapes are invalid. */
  path: string;
  /** Segments of the path, each decoded, so that an escaped slash is a character of its segment. */
  segments: readonly string[];
  query: string;
}

export function parseTarget(url: string): RequestTarget {
  const relative = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "") || "/";
  const mark = relative.indexOf("?");
  const path = withoutSlash(mark < 0 ? relative : relative.slice(0, mark));
  return {
    path: decoded(path),
    segments: path.split("/").slice(1).map(decoded),
    query: mark < 0 ? "" : relative.slice(mark + 1),
  };
}

const SLASH = 0x2f;

function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--;
  return end === path.length ? path : path.slice(0, end);
}

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
