import { PointListError } from "../list-problem.ts";

/**
 * Elements of one name, which are not nested in each other: their attributes as written, and what they contain. One pass.
 *
 * @throws PointListError for an element that does not end.
 */
export function* elements(
  xml: string,
  name: string,
): Generator<readonly [attributes: string, inside: string]> {
  const [start, close] = [`<${name}`, `</${name}>`];
  for (let at = xml.indexOf(start); at >= 0; ) {
    const after = at + start.length;
    const next = xml[after] ?? "";
    if (!/[\s/>]/.test(next)) {
      at = xml.indexOf(start, after);
      continue;
    }
    const end = xml.indexOf(">", after);
    if (end < 0) throw unended();
    if (xml[end - 1] === "/") {
      yield [xml.slice(after, end - 1), ""];
      at = xml.indexOf(start, end);
      continue;
    }
    const last = xml.indexOf(close, end);
    if (last < 0) throw unended();
    yield [xml.slice(after, end), xml.slice(end + 1, last)];
    at = xml.indexOf(start, last);
  }
}

const patterns = new Map<string, RegExp>();

/** The value of an attribute as written; undefined where there is none. */
export function attribute(attributes: string, name: string): string | undefined {
  let pattern = patterns.get(name);
  if (!pattern) {
    pattern = new RegExp(`(?:^|\\s)${name}="([^"]*)"`);
    patterns.set(name, pattern);
  }
  return pattern.exec(attributes)?.[1];
}

function unended(): PointListError {
  return new PointListError([{ code: "damaged" }]);
}
