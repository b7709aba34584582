/** A half of the Earth, or `O`: west in French, Spanish, Portuguese and Italian, east in German and Dutch. */
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

/** Words around a position that say nothing about it. */
const fillers = "pos position posicion posicao geo gps de of and und et y 位置";

const listed = <Value>(table: Readonly<Record<string, string>>): [string, Value][] =>
  Object.entries(table).flatMap(([value, words]) =>
    words.split(" ").map((word): [string, Value] => [word, value as Value]),
  );

export const hemisphereWords: ReadonlyMap<string, Hemisphere> = new Map(listed<Hemisphere>(hemispheres));
export const axisWords: ReadonlyMap<string, Axis> = new Map(listed<Axis>(axes));
export const markWords: ReadonlyMap<string, string> = new Map(listed<string>(marks));
export const fillerWords: ReadonlySet<string> = new Set(fillers.split(" "));

const WEST_IN = new Set(["fr", "es", "pt", "it", "ca", "gl"]);
const EAST_IN = new Set(["de", "nl", "da", "nb", "nn", "no", "sv"]);
const GERMAN = new Set(
  "breite breitengrad breitegrad laenge lange langengrad sued grad sudlich nordlich".split(" "),
);
const ROMANCE = new Set(
  "latitude latitud latitudine longitude longitud longitudine norte sur sul".split(" "),
);

/**
 * What the letter O means: by the other words of the text, else by the languages of the reader.
 *
 * @param words All words of the text, lower case and without accents.
 * @param languages BCP 47 tags, as `navigator.languages`.
 * @returns Undefined where they do not say it or disagree.
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
