import { listOf, propertyOf, textOf } from "#server/storms/parse/json.ts";
import { CYCLE_S, LIST_EVERY_S, TEXT_EVERY_S } from "./cycles.ts";
import { isFileList, listedDecks } from "./listed-decks.ts";
import type { LiveFeed } from "./live-feed.ts";

const FTP = "https://ftp.nhc.noaa.gov/atcf";
const RAL = "https://hurricanes.ral.ucar.edu/repository/data";
const GATEWAY = "https://tgftp.nws.noaa.gov/data/raw/ab";

/** NHC and CPHC: list of active storms, best tracks with invests, official forecasts, outlooks. */
export const nhcFeed: LiveFeed = {
  name: "nhc",
  title: "Tropical cyclones of the Atlantic and the eastern Pacific",
  credit: "NOAA National Hurricane Center",
  provider: "jtwc",
  async collect(round) {
    const list = await round.text({
      file: "CurrentStorms.json",
      urls: ["https://www.nhc.noaa.gov/CurrentStorms.json"],
      everyS: LIST_EVERY_S,
    });
    if (!list.isOk) round.lacks("CurrentStorms.json");
    // Invests, and storms before their first advisory.
    const place = { file: "btk.html", urls: [`${FTP}/btk/`], everyS: TEXT_EVERY_S };
    const page = await round.page(place, isFileList);
    const decks = listedDecks(page.text ?? "", round.now);
    const ids = new Set([...idsOf(list.text), ...decks.map((name) => name.slice(1, -4))]);
    for (const id of [...ids].sort()) {
      await round.text({
        file: `btk/b${id}.dat`,
        urls: [`${FTP}/btk/b${id}.dat`, `${RAL}/bdecks_open/${id.slice(4)}/b${id}.dat`],
        everyS: TEXT_EVERY_S,
        freshS: 2 * CYCLE_S,
      });
      // Invests have no official forecast.
      if (Number(id.slice(2, 4)) >= 90) continue;
      await round.text({ file: `fst/${id}.fst`, urls: [`${FTP}/fst/${id}.fst`], everyS: TEXT_EVERY_S });
    }
    for (const name of ["abnt20.knhc.two.at", "abpz20.knhc.two.ep", "acpn50.phfo.two.cp"])
      await round.text({ file: `${name}.txt`, urls: [`${GATEWAY}/${name}.txt`], everyS: TEXT_EVERY_S });
  },
};

/** `al012026` of each storm of the list. */
function idsOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const storms = propertyOf(JSON.parse(text), "activeStorms");
  return listOf(storms)
    .map((storm) => textOf(propertyOf(storm, "id"))?.toLowerCase() ?? "")
    .filter((id) => /^(?:al|ep|cp)\d{6}$/.test(id));
}
