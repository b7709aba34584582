import { readFileSync } from "node:fs";
import { type GazetteerFile, placesOfFile } from "#lib/places/gazetteer.ts";
import { searchPlaces } from "#lib/places/search-places.ts";
import { readPointFile } from "#lib/points/read-file.ts";
import { readPosition } from "#lib/positions/read-position.ts";

const ROWS = 200_000;

/** Processor time of reading large lists, which a worker of the page does, and of searching names, which the page does. */
export async function bench(): Promise<void> {
  const rows = (write: (row: number) => string) =>
    Array.from({ length: ROWS }, (_, row) => write(row)).join("\n");
  const decimal = rows((row) => `${(row % 1700) / 10 - 85},${(row % 3590) / 10 - 179},2026-09-15T12:00:00Z`);
  const minutes = rows((row) => `${row % 80}°30,5'N;${row % 170}°10.2'W;${1 + (row % 28)}.09.2026 12:00`);
  const track = rows(
    (row) => `<trkpt lat="${row % 80}.5" lon="${row % 170}.25"><time>2026-09-15T12:00:00Z</time></trkpt>`,
  );
  const files: Record<string, string> = {
    "a table of decimal degrees": `latitude,longitude,timestamp\n${decimal}`,
    "a table of degrees and minutes": `lat;lon;time\n${minutes}`,
    "a GPX track": `<gpx><trk><trkseg>${track}</trkseg></trk></gpx>`,
  };
  for (const [name, text] of Object.entries(files)) {
    const content = new TextEncoder().encode(text);
    const begin = process.cpuUsage();
    const [list] = await readPointFile(content, { languages: ["en"] });
    const size = `${(content.length / 1e6).toFixed(1)} MB, ${list?.points.length} points`;
    console.log(`${name} (${size}): ${millisSince(begin).toFixed(0)} ms`);
  }
  const text = readFileSync("public/basemap/places.json", "utf8");
  const opened = process.cpuUsage();
  const places = placesOfFile(JSON.parse(text) as GazetteerFile);
  console.log(`the gazetteer, ${places.length} places, read once: ${millisSince(opened).toFixed(0)} ms`);
  const searched = process.cpuUsage();
  for (let round = 0; round < 100; round++) searchPlaces(places, "sa", { latitude: 48, longitude: -5 }, 7);
  console.log(`a search in it: ${(millisSince(searched) / 100).toFixed(1)} ms`);
  const read = process.cpuUsage();
  for (let round = 0; round < 1000; round++) readPosition("48°30,5'N 5°10.2'O", ["fr"]);
  console.log(`reading a position: ${(millisSince(read) / 1000).toFixed(3)} ms`);
}

function millisSince(begin: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}
