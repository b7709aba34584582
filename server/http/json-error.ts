const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const [SPACE_CODE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c];
const WORD = /true|false|null/y;

/**
 * Where a text stops being JSON, and what was expected there, in the words of Python's decoder (which FastAPI clients
 * know). The engine's own message is of no use: it quotes the input and often names no position.
 *
 * Walks with a stack of its own, so that depth costs memory and not the call stack.
 *
 * @returns undefined when the text is JSON.
 */
export function jsonErrorAt(text: string): { position: number; reason: string } | undefined {
  const open: ("{" | "[")[] = [];
  let at = 0;
  const passes = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  // A loop, not one pattern: a pattern that repeats a choice runs out of stack on a string of megabytes.
  const passesString = (): boolean => {
    if (text[at] !== '"') return false;
    const start = at++;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        at++;
        return true;
      }
      if (code < SPACE_CODE || (code === BACKSLASH && !passes(ESCAPE))) break;
      if (code === BACKSLASH) at--;
    }
    at = start;
    return false;
  };
  const wrong = (reason: string) => ({ position: at, reason });
  const key = () => {
    passes(SPACE);
    if (!passesString()) return wrong("Expecting property name enclosed in double quotes");
    passes(SPACE);
    return text[at++] === ":" ? undefined : { position: at - 1, reason: "Expecting ':' delimiter" };
  };

  for (;;) {
    passes(SPACE);
    const first = text[at];
    if (first === "{" || first === "[") {
      at++;
      open.push(first);
      passes(SPACE);
      if (text[at] !== (first === "{" ? "}" : "]")) {
        const problem = first === "{" ? key() : undefined;
        if (problem) return problem;
        continue;
      }
    } else if (first === '"') {
      if (!passesString()) return wrong("Invalid or unterminated string");
    } else if (!passes(NUMBER) && !passes(WORD)) return wrong("Expecting value");

    // After a value: close what is complete, then the next entry.
    for (;;) {
      passes(SPACE);
      const inside = open.at(-1);
      if (!inside) return at === text.length ? undefined : wrong("Extra data");
      if (text[at] !== (inside === "{" ? "}" : "]")) break;
      at++;
      open.pop();
    }
    if (text[at] !== ",") return wrong("Expecting ',' delimiter");
    at++;
    const problem = open.at(-1) === "{" ? key() : undefined;
    if (problem) return problem;
  }
}
