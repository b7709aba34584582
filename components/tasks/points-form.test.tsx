import { expect, it } from "vitest";
import { type AllWords, de, en, ja } from "#test/all-words.ts";
import { renderInPage } from "#test/render.tsx";
import { buffersOf, type FileList, readLists } from "./file-list.ts";
import { ListPreview } from "./points-form.tsx";

const nothing = () => undefined;

async function lists(text: string): Promise<FileList[]> {
  const content = new TextEncoder().encode(text).buffer;
  const reply = await readLists({ content, options: { languages: ["en-GB"] } });
  if (!("lists" in reply)) throw new Error(JSON.stringify(reply.problems));
  return reply.lists;
}

async function preview(text: string, words: AllWords = en): Promise<string> {
  return renderInPage(
    <ListPreview
      fileName="a.csv"
      lists={await lists(text)}
      chosen={0}
      onChoose={nothing}
      onDateOrder={nothing}
      skipping={false}
      onSkip={nothing}
    />,
    { words },
  ).replace(/<!-- -->/g, "");
}

it("says how the columns were understood and what cannot be read", async () => {
  const page = await preview("Breite;Länge;Datum\n48,5;-5,25;03/04/2026 12:00\n91;0;03/04/2026 12:00\n");
  expect(page).toContain("a.csv: 1 point, each with its time.");
  expect(page).toContain(
    "Read: latitude from “Breite”, longitude from “Länge”, date from “Datum”. Times are taken as UTC.",
  );
  expect(page).toContain("1 point cannot be read, 1 can.");
  expect(page).toContain("Line 3: the latitude “91”");
  expect(page).toContain("day/month/year");
  expect(page).toContain("48°30.0′N 005°15.0′W · 2026-04-03 12:00 UTC");
});

it("lists what a GPX file has, and says that times of drawing are not used", async () => {
  const point = (latitude: number) =>
    `<rtept lat="${latitude}" lon="0"><time>2026-01-01T00:00:0${latitude % 10}Z</time></rtept>`;
  const page = await preview(
    `<gpx><rte><name>North</name>${point(41)}${point(42)}</rte><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>`,
  );
  expect(page).toContain("Route “North”");
  expect(page).toContain("2 points · 60 n mi");
  // Its only track: lists are counted by their kind, as in what is said of their points.
  expect(page).toContain("Track 1");
  expect(page).toContain("not of a passage");
});

it("is told in the words of the page, with its numbers as they are written there", async () => {
  const table = "lat;lon\n48,5;-5,25\n91;0\n92;0\n";
  const german = await preview(table, de);
  expect(german).toContain("a.csv: 1 Punkt, ohne Zeitangabe.");
  expect(german).toContain("Gelesen: Breite aus „lat“, Länge aus „lon“.");
  expect(german).toContain("2 Punkte sind nicht lesbar, lesbar: 1.");
  expect(german).toContain("Zeile 3: die Breite „91“ muss −90 bis 90 sein, oder wie 48°30.5′N.");
  expect(await preview(table, ja)).toContain("a.csv：1地点、時刻なし。");
  const speed = "<extensions><planned_speed>7.5</planned_speed></extensions>";
  const route = `<rte>${speed}<rtept lat="0" lon="0"/><rtept lat="40" lon="0"/></rte>`;
  expect(await preview(`<gpx>${route}<wpt lat="1" lon="2"/></gpx>`, de)).toContain(
    "2 Punkte · 2.402 sm · geplant mit 7,5 kn",
  );
});

it("moves points from the worker to the page as columns, and none of a list that no task may have", async () => {
  const [small] = await lists("lat,lon\n1,2\n3,4");
  expect([...(small?.columns?.latitude ?? [])]).toEqual([1, 3]);
  expect(buffersOf({ lists: [small!] })).toHaveLength(4);
  const [large] = await lists(`lat,lon\n${"1,2\n".repeat(200_001)}`);
  expect(large?.count).toBe(200_001);
  expect(large?.columns).toBeUndefined();
});
