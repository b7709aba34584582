const LETTERS: Readonly<Record<string, string>> = {
  ø: "o",
  œ: "oe",
  æ: "ae",
  ß: "ss",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** A name as a search compares it: lower case, without accents, apostrophes and hyphens; `Saint` is `st`. */
export function foldName(name: string): string {
  const lower = name.toLowerCase();
  // Most names: a page folds thousands at once.
  if (/^[a-z]+(?: [a-z]+)*$/.test(lower) && !lower.includes("sa")) return lower;
  return lower
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[øœæßłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/['’ʻ`.]/g, "")
    .replace(/[\s\-–/,()]+/g, " ")
    .trim()
    .replace(/\b(?:saint|sankt)\b/g, "st")
    .replace(/\bsainte\b/g, "ste");
}
