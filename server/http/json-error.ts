const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const [SPACE_CODE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c];
const WORD = /true|false|null/y;

/**
 * Position of the first JSON syntax error, and what was expected there, in the words of Python's decoder (which FastAPI
 * clients know). The engine's own message quotes the input and often names no position.
 *
 * Keeps a stack of its own, so that deep nesting does not overflow the call stack.
 *
 * @returns undefined when the text is JSON.
 */
export function jsonErrorAt(text: string): { position: number; reason: string } | undefined {
  const open: ("{" | "[")[] = [];
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  // A loop rather than one pattern: a repeated alternation overflows the stack on a string of megabytes.
  const skipString = (): boolean => {
    if (text[at] !== '"') return false;
    const start = at++;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        at++;
        return true;
      }
      if (code < SPACE_CODE || (code === BACKSLASH && !skip(ESCAPE))) break;
      if (code === BACKSLASH) at--;
    }
    at = start;
    return false;
  };
  const error = (reason: string) => ({ position: at, reason });
  const key = () => {
    skip(SPACE);
    if (!skipString()) return error("Expecting property name enclosed in double quotes");
    skip(SPACE);
    return text[at++] === ":" ? undefined : { position: at - 1, reason: "Expecting ':' delimiter" };
  };

  for (;;) {
    skip(SPACE);
    const first = text[at];
    if (first === "{" || first === "[") {
      at++;
      open.push(first);
      skip(SPACE);
      if (text[at] !== (first === "{" ? "}" : "]")) {
        const problem = first === "{" ? key() : undefined;
        if (problem) return problem;
        continue;
      }
    } else if (first === '"') {
      if (!skipString()) return error("Invalid or unterminated string");
    } else if (!skip(NUMBER) && !skip(WORD)) return error("Expecting value");

    // After a value: close complete objects and arrays, then the next entry.
    for (;;) {
      skip(SPACE);
      const inside = open.at(-1);
      if (!inside) return at === text.length ? undefined : error("Extra data");
      if (text[at] !== (inside === "{" ? "}" : "]")) break;
      at++;
      open.pop();
    }
    if (text[at] !== ",") return error("Expecting ',' delimiter");
    at++;
    const problem = open.at(-1) === "{" ? key() : undefined;
    if (problem) return problem;
  }
}
