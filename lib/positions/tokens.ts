/** One token of a written position. */
export type Token =
  | { kind: "number"; text: string }
  | { kind: "mark"; mark: string }
  | { kind: "sign"; sign: "-" | "+" }
  | { kind: "hemisphere"; hemisphere: Hemisphere; spaceBefore: boolean }
  | { kind: "axis"; axis: Axis }
  /** Semicolons and line ends always separate the halves of a position; a comma may. */
  | { kind: "separator"; hard: boolean };

export interface Tokens {
  tokens: Token[];
  /** Every word, in lower case and without accents. */
  words: string[];
}

/** A hemisphere. `O` is west in French, Spanish, Portuguese and Italian, and east in German and Dutch. */
export type Hemisphere = "N" | "S" | "E" | "W" | "O";

export type Axis = "latitude" | "longitude";

const hemispheres: Readonly<Record<Hemisphere, string>> = {
  N: "n north nord norte noord nordlich nordliche nordlicher 北緯 北纬 北",
  S: "s south sud sur sul zuid sued sudlich sudliche sudlicher 南緯 南纬 南",
  E: "e east est este leste ost oost l ø ostlich ostliche ostlicher 東経 東經 东经 東 东",
  W: "w west ouest oeste ovest westlich westliche westlicher 西経 西經 西经 西",
  O: "o",
};

const axes: Readonly<Record<Axis, string>> = {
  latitude: "lat latitude latitud latitudine breite breitengrad breitegrad br φ 緯度 纬度",
  longitude:
    "lon long lng longitude longitud longitudine laenge lange langengrad langegrad lg λ 経度 經度 经度",
};

const marks: Readonly<Record<string, string>> = {
  "°": "d deg degs degree degrees degre degres grad grado grados grau graus gradi 度",
  "'": "min mins minute minutes minuto minutos minuten 分",
  '"': "sec secs second seconds seconde secondes segundo segundos sekunde sekunden 秒",
};

/** Words around a position that carry no information. */
const fillers = "pos position posicion posicao geo gps de of and und et y 位置";

const listed = <Value>(table: Readonly<Record<string, string>>): [string, Value][] =>
  Object.entries(table).flatMap(([value, words]) =>
    words.split(" ").map((word): [string, Value] => [word, value as Value]),
  );

const hemisphereWords: ReadonlyMap<string, Hemisphere> = new Map(listed<Hemisphere>(hemispheres));
const axisWords: ReadonlyMap<string, Axis> = new Map(listed<Axis>(axes));
const markWords: ReadonlyMap<string, string> = new Map(listed<string>(marks));
const fillerWords: ReadonlySet<string> = new Set(fillers.split(" "));

const CJK = /[\u4e00-\u9fff]+/gu;
const cjkWords = [...hemisphereWords.keys(), ...axisWords.keys(), ...markWords.keys(), ...fillerWords]
  .filter((word) => /[\u4e00-\u9fff]/u.test(word))
  .sort((one, other) => other.length - one.length);
const CJK_WORD = new RegExp(`${cjkWords.join("|")}|[\u4e00-\u9fff]`, "gu");

/** Normalises characters: `°`, `'`, `"`, `-` for hyphens and dashes, `−` for a minus sign. */
export function plainSigns(text: string): string {
  return text
    .replace(/[º˚∘ᵒ]/g, "°")
    .replace(/[″“”„˝〃]|''|′′|’’/g, '"')
    .replace(/[′’‘´`ʹ‵]/g, "'")
    .replace(/[–—‐‑‒]/g, "-")
    .replace(/(?<!\p{L})ö(?!\p{L})/giu, "ø")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("''", '"')
    .toLowerCase()
    .replace(CJK, (run) => run.replace(CJK_WORD, " $& "));
}

const SIGN =
  /(?<number>\d+(?:[.,]\d+)?)|(?<word>[\p{L}φλ]+)|(?<mark>[°'"])|(?<minus>[-−+])|(?<hard>[;/|\n\t]+)|(?<soft>,)|(?<other>[\s:=.()[\]]+)|(?<bad>.)/gsu;

/**
 * Splits a normalised text into tokens.
 *
 * @param decimalComma Whether a comma between digits is a decimal comma.
 * @returns undefined if the text contains a word or character that no position has.
 */
export function tokensOf(plain: string, decimalComma: boolean): Tokens | undefined {
  const text = decimalComma ? plain.replace(/(\d),(?=\d)/g, "$1.") : plain.replace(/(\d),(?=\d)/g, "$1 ,");
  const tokens: Token[] = [];
  const words: string[] = [];
  let end = 0;
  let space = true;
  for (const { 0: sign, index, groups = {} } of text.matchAll(SIGN)) {
    end = index + sign.length;
    if (groups.number) tokens.push({ kind: "number", text: sign });
    else if (groups.mark) tokens.push({ kind: "mark", mark: sign });
    else if (groups.minus) tokens.push({ kind: "sign", sign: sign === "+" ? "+" : "-" });
    else if (groups.hard || groups.soft) tokens.push({ kind: "separator", hard: groups.soft === undefined });
    else if (groups.word) {
      const found = wordTokens(sign, space);
      if (!found) return undefined;
      words.push(sign);
      tokens.push(...found);
    } else if (groups.bad) return undefined;
    space = groups.other !== undefined;
  }
  return end === text.length ? { tokens, words } : undefined;
}

function wordTokens(word: string, spaceBefore: boolean): Token[] | undefined {
  const hemisphere = hemisphereWords.get(word);
  if (hemisphere) return [{ kind: "hemisphere", hemisphere, spaceBefore }];
  const axis = axisWords.get(word);
  if (axis) return [{ kind: "axis", axis }];
  const mark = markWords.get(word);
  if (mark) return [{ kind: "mark", mark }];
  return fillerWords.has(word) ? [] : undefined;
}

const WEST_IN = new Set(["fr", "es", "pt", "it", "ca", "gl"]);
const EAST_IN = new Set(["de", "nl", "da", "nb", "nn", "no", "sv"]);
const GERMAN = new Set(
  "breite breitengrad breitegrad laenge lange langengrad sued grad sudlich nordlich".split(" "),
);
const ROMANCE = new Set(
  "latitude latitud latitudine longitude longitud longitudine norte sur sul".split(" "),
);

/**
 * Decides what the letter O means: by the other words of the text, or else by the languages of the reader.
 *
 * @param words All words of the text, in lower case and without accents.
 * @param languages BCP 47 tags, as `navigator.languages`.
 * @returns undefined if they do not decide or disagree.
 */
export function meaningOfO(words: readonly string[], languages: readonly string[]): "E" | "W" | undefined {
  const german = words.some((word) => GERMAN.has(word));
  const romance = words.some((word) => ROMANCE.has(word));
  if (german !== romance) return german ? "E" : "W";
  const known = languages.map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  const west = known.some((language) => WEST_IN.has(language));
  const east = known.some((language) => EAST_IN.has(language));
  return west === east ? undefined : west ? "W" : "E";
}
