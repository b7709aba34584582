/**
 * The media type to answer with.
 *
 * @param accept The Accept header.
 * @param offered Types the operation can write, the default first.
 * @returns The default where nothing fits: an unknown wish is answered, not refused.
 */
export function preferredType(accept: string | undefined, offered: readonly [string, ...string[]]): string {
  const fallback = offered[0];
  if (!accept || accept === "*/*" || offered.length === 1) return fallback;
  let best = { type: fallback, quality: 0 };
  const wishes = accept.split(",").map(wishOf);
  for (const type of offered) {
    const quality = qualityOf(type, wishes);
    if (quality > best.quality) best = { type, quality };
  }
  return best.type;
}

interface Wish {
  range: string;
  quality: number;
}

function wishOf(text: string): Wish {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight ? Number(weight.slice(2)) : 1;
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** Quality of the most exact range that names a type (RFC 9110, 12.5.1); 0 where none does. */
function qualityOf(type: string, wishes: readonly Wish[]): number {
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  for (const range of [type, family, "*/*"]) {
    const wish = wishes.find((candidate) => candidate.range === range);
    if (wish) return wish.quality;
  }
  return 0;
}
