import { expect, it } from "vitest";
import { type AllWords, de, en, ja } from "#test/all-words.ts";
import { renderInPage } from "#test/render.tsx";
import { readLists } from "./file-list.ts";
import { ListPreview, typedOrPlanned } from "./points-form.tsx";

const nothing = () => undefined;

async function lists(text: string) {
  const content = new TextEncoder().encode(text).buffer;
  const reply = await readLists({ content, options: { languages: ["en-GB"] } });
  if (!("lists" in reply)) throw new Error(JSON.stringify(reply.problems));
  return reply.lists;
}

async function preview(text: string, words: AllWords): Promise<string> {
  const choices = { chosen: 0, onChoose: nothing, onDateOrder: nothing, skipping: false, onSkip: nothing };
  const page = renderInPage(<ListPreview fileName="a.csv" lists={await lists(text)} {...choices} />, {
    words,
  });
  return page.replace(/<!-- -->/g, "");
}

const rtept = (latitude: number) =>
  `<rtept lat="${latitude}" lon="0"><time>2026-01-01T00:00:0${latitude % 10}Z</time></rtept>`;
const gpx = (inside: string) => `<gpx>${inside}</gpx>`;
const speed = "<extensions><planned_speed>7.5</planned_speed></extensions>";

it.each([
  [
    "how columns were understood and what cannot be read",
    en,
    "Breite;Länge;Datum\n48,5;-5,25;03/04/2026 12:00\n91;0;03/04/2026 12:00\n",
    [
      "a.csv: 1 point, each with its time.",
      "Read: latitude from “Breite”, longitude from “Länge”, date from “Datum”. Times are taken as UTC.",
      "1 point cannot be read, 1 can.",
      "Line 3: the latitude “91”",
      "day/month/year",
      "48°30.0′N 005°15.0′W · 2026-04-03 12:00 UTC",
    ],
  ],
  [
    "the lists of a GPX file, and that times of drawing are not used",
    en,
    gpx(
      `<rte><name>North</name>${rtept(41)}${rtept(42)}</rte><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>`,
    ),
    ["Route “North”", "2 points · 60 n mi", "Track 1", "not of a passage"],
  ],
  [
    "it in German",
    de,
    "lat;lon\n48,5;-5,25\n91;0\n92;0\n",
    [
      "a.csv: 1 Punkt, ohne Zeitangabe.",
      "Gelesen: Breite aus „lat“, Länge aus „lon“.",
      "2 Punkte sind nicht lesbar, lesbar: 1.",
      "Zeile 3: die Breite „91“ muss −90 bis 90 sein, oder wie 48°30.5′N.",
    ],
  ],
  ["it in Japanese", ja, "lat;lon\n48,5;-5,25\n", ["a.csv：1地点、時刻なし。"]],
  [
    "the speed that a file plans, with its comma",
    de,
    gpx(`<rte>${speed}<rtept lat="0" lon="0"/><rtept lat="40" lon="0"/></rte><wpt lat="1" lon="2"/>`),
    ["2 Punkte · 2.402 sm · geplant mit 7,5 kn"],
  ],
])("tells %s", async (_, words, text, told) => {
  const page = await preview(text, words);
  for (const sentence of told) expect(page).toContain(sentence);
});

it("gives points to the page as columns, and none of a list that no task may have", async () => {
  const [small] = await lists("lat,lon\n1,2\n3,4");
  expect([...(small?.columns?.latitude ?? [])]).toEqual([1, 3]);
  const [large] = await lists(`lat,lon\n${"1,2\n".repeat(200_001)}`);
  expect([large?.count, large?.columns]).toEqual([200_001, undefined]);
});

it("a departure and speed that were typed stay when the list is edited, unless another list plans its own", async () => {
  const [[before], [after]] = await Promise.all([lists("lat,lon\n1,2"), lists("lat,lon\n1,2\n3,4")]);
  const typed = { value: "12", over: before! };
  expect([
    typedOrPlanned(typed, before, "7.5"),
    typedOrPlanned(typed, after, undefined),
    typedOrPlanned(typed, after, "7.5"),
    typedOrPlanned(undefined, after, undefined),
  ]).toEqual(["12", "12", "7.5", undefined]);
});
