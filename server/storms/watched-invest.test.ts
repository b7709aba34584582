import { expect, it } from "vitest";
import { type DerivedStorms, deriveStorms } from "./derive.ts";

const at = (time: string) => Date.parse(`2026-09-${time}:00Z`) / 1000;

/** Reads texts, each of which stays in the mirror, and says whether 98W is active and under an alert. */
function reader() {
  let before: DerivedStorms | undefined;
  const mirror = new Map<string, string>();
  return (time: string, texts: Record<string, string> = {}) => {
    const now = at(time);
    for (const [source, text] of Object.entries(texts)) mirror.set(source, text);
    before = deriveStorms({
      provider: "jtwc",
      texts: [...mirror].map(([source, text]) => ({ source, text, receivedAt: now })),
      previous: before?.storms ?? [],
      ...(before && { areas: before.areas, feed: before.feed }),
      now,
    });
    const entry = before.storms.find(({ entry: { id } }) => id === "WP982026")?.entry;
    return [entry?.is_active ?? "none", entry?.formation_alert !== undefined];
  };
}

const deck = "WP, 98, 2026092500,   , BEST,   0, 129N, 1445E,  20, 1006, DB,\n";
const outlook = (heading: string, place: string) => `ABPW10 PGTW ${heading}
MSGID/GENADMIN//
RMKS/
1. NORTHERN AREA:
   B. TROPICAL DISTURBANCE SUMMARY:
      (1) THE AREA OF CONVECTION (INVEST 98W) HAS PERSISTED NEAR ${place}. THE POTENTIAL FOR
THE DEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS LOW.//
NNNN
`;
const alert = (subject = "") => `WTPN21 PGTW 250700
SUBJ/TROPICAL CYCLONE FORMATION ALERT (INVEST 98W)${subject}//
RMKS/
1. FORMATION OF A SIGNIFICANT TROPICAL CYCLONE IS POSSIBLE WITHIN
185 NM EITHER SIDE OF A LINE FROM 12.9N 144.5E TO 16.1N 139.8E.
METSAT IMAGERY AT 250000Z INDICATES THAT A CIRCULATION CENTER IS LOCATED NEAR 12.9N 144.5E.
3. THIS ALERT WILL BE REISSUED, UPGRADED TO WARNING OR CANCELLED BY 260700Z.//
NNNN
`;
/** Whatever else the centre issues: its feed goes on. */
const other = (base: string) => ({
  "bwp202026.dat": `WP, 20, 202609${base},   , BEST,   0, 200N, 1600E,  70,  980, TY,\n`,
});

it("an invest is silent from the newest text that names it, and not from the fix that the text states", () => {
  const read = reader();
  expect(read("25T01:30", { "bwp982026.dat": deck })).toEqual([true, false]);
  expect(read("25T07:00", { "abpwweb.txt": outlook("250600", "13.0N 144.3E") })).toEqual([true, false]);
  // The next outlook still names it, at a place that cannot be read.
  expect(read("25T20:30", { "abpwweb.txt": outlook("252000", "THE LINE"), ...other("2518") })).toEqual([
    true,
    false,
  ]);
  expect(read("26T14:30", other("2614"))).toEqual([true, false]);
  expect(read("26T15:30", other("2615"))).toEqual([false, false]);
});

it("an invest under a formation alert is active, and shows it, until 6 h after the end of the alert", () => {
  const read = reader();
  expect(read("25T07:10", { "wp9826web.txt": alert() })).toEqual([true, true]);
  for (const time of ["25T18:30", "26T01:30", "26T07:30", "26T13:00"])
    expect(read(time, other(time.slice(0, 5).replace("T", "")))).toEqual([true, true]);
  expect(read("26T13:01", other("2613"))).toEqual([false, false]);
});

it("a cancelled alert ends its invest, and does not hold one that an outlook names again", () => {
  const read = reader();
  read("25T07:10", { "wp9826web.txt": alert() });
  const cancelled = alert(" CANCELLATION").replace("250700", "251000");
  expect(read("25T10:10", { "wp9826web.txt": cancelled, ...other("2506") })).toEqual([false, false]);
  expect(read("25T12:10", { "abpwweb.txt": outlook("251200", "13.5N 143.9E") })).toEqual([true, false]);
  expect(read("26T07:00", other("2607"))).toEqual([false, false]);
});
