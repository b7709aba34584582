import { listOf, propertyOf, textOf } from "#server/storms/parse/json.ts";
import { LIST_EVERY_S, TEXT_EVERY_S } from "./cycles.ts";
import type { LiveFeed, LiveRound } from "./live-feed.ts";

const BOSAI = "https://www.jma.go.jp/bosai/typhoon/data";
const XML = "https://www.data.jma.go.jp/developer/xml";

/** JMA: its typhoon data as JSON, and its telegrams where these cannot be had. */
export const jmaFeed: LiveFeed = {
  name: "jma",
  title: "Typhoons of the western Pacific",
  credit: "Japan Meteorological Agency",
  provider: "jma",
  async collect(round) {
    const list = await round.text({
      file: "targetTc.json",
      urls: [`${BOSAI}/targetTc.json`],
      everyS: LIST_EVERY_S,
    });
    const codes = codesOf(list.text);
    const isWhole = [list.isOk];
    for (const code of codes)
      for (const part of ["specifications", "forecast"]) {
        const file = `${code}/${part}.json`;
        // Near Japan a bulletin comes every hour.
        const { isOk } = await round.text({ file, urls: [`${BOSAI}/${file}`], everyS: LIST_EVERY_S });
        isWhole.push(isOk);
      }
    if (list.isOk) await removeEnded(round, codes);
    if (!isWhole.every(Boolean)) await telegrams(round);
  },
};

/** A storm that has ended is 404; it goes only because the list no longer has it. */
async function removeEnded(round: LiveRound, codes: readonly string[]): Promise<void> {
  for (const file of await round.files()) {
    const code = /^(TC\d{4})\//.exec(file)?.[1];
    if (code !== undefined && !codes.includes(code)) await round.remove(file);
  }
}

/** Telegrams of the last day, of which each has an address of its own and never changes. */
const NEVER_AGAIN_S = 400 * 86_400;
const RECENT_S = 86_400;

async function telegrams(round: LiveRound): Promise<void> {
  const place = {
    file: "extra.xml",
    urls: [`${XML}/feed/extra.xml`, `${XML}/feed/extra_l.xml`],
    everyS: TEXT_EVERY_S,
  };
  const feed = await round.page(
    place,
    (text) => text.includes("<feed") && text.trimEnd().endsWith("</feed>"),
  );
  if (!feed.isOk) round.lacks("targetTc.json", "extra.xml");
  for (const url of telegramsOf(feed.text ?? "", round.now))
    await round.text({
      file: `xml/${url.slice(url.lastIndexOf("/") + 1)}`,
      urls: [url],
      everyS: NEVER_AGAIN_S,
    });
}

function telegramsOf(atom: string, now: number): string[] {
  const entries = atom.split("<entry>").slice(1);
  return entries.flatMap((entry) => {
    const url =
      /href="(https:\/\/www\.data\.jma\.go\.jp\/developer\/xml\/data\/[\w.-]+VPTW[456]\d[\w.-]*\.xml)"/;
    const found = url.exec(entry)?.[1];
    const updated = Date.parse(/<updated>([^<]{10,40})<\/updated>/.exec(entry)?.[1] ?? "") / 1000;
    return found !== undefined && now - updated <= RECENT_S ? [found] : [];
  });
}

/** `TC2613` of each storm of the list. */
function codesOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  return listOf(JSON.parse(text))
    .map((storm) => textOf(propertyOf(storm, "tropicalCyclone")) ?? "")
    .filter((code) => /^TC\d{4}$/.test(code));
}
