import { describe, expect, it } from "vitest";
import { parseText } from "./text.ts";

const now = Date.parse("2026-09-25T15:30:00Z") / 1000;

/** Characters of the longest texts, which are far from being refused for their length. */
const LENGTH = 250_000;

/**
 * Limit of the processor time: much longer than reading so many characters takes, and much shorter than comparing each
 * pair of them.
 */
const LIMIT_MS = 500;

const heading = "WTPN51 PGTW 251500\nWARNING    ATCG MIL 25W NWP 260925133833\n";
const tcw = `${heading}2026092512 25W SURIGAE    010  01 305 12 SATL 060\n`;
const warning =
  "WTPN31 PGTW 251500\n1. TYPHOON 25W (SURIGAE) WARNING NR 010\n   251200Z --- NEAR 22.5N 127.2E\n";
const fix = "BEST,   0, 100N, 0300W, 35, 1000, TS,";
const seas = (index: number) =>
  `AL, 06, ${2_000_000_000 + index}, , ${fix}  34, NEQ, 60, 70, 80, 90,${" 0,".repeat(10)} NAME, D, 12, NEQ, 180, 120, 90, 60,`;
const jma = "WTPQ50 RJTD 251200\nNAME TS 2614 DOLPHIN\nPSTN 251200UTC 22.5N 127.2E\n";
const vitals = (time: number) => {
  const at = new Date(time * 60_000).toISOString().replaceAll(/\D/g, "");
  return `JTWC 25W SURIGAE   ${at.slice(0, 8)} ${at.slice(8, 12)} 225N 1272E 305 062 0998 1004 0300 26 028\n`;
};
const pastFix = (hour: number) => {
  const at = new Date(hour * 3_600_000).toISOString().replaceAll(/\D/g, "").slice(2, 10);
  return `25${at} 111N1464E  15\n`;
};
const part = (seconds: number) =>
  JSON.stringify({
    advancedHours: seconds / 3600,
    validtime: {
      UTC: new Date(Date.parse("2026-09-25T12:00:00Z") + seconds * 1000).toISOString().replace(".000", ""),
    },
    center: [22, 127],
  });
const title = '{"part":"title","typhoonNumber":"2614","issue":{"UTC":"2026-09-25T12:40:00Z"}}';

/** Texts by kind: a start, what is repeated, and an end. */
const hostile: Record<string, [start: string, repeated: string | ((index: number) => string), end?: string]> =
  {
    "<": ["", "<"],
    "<a>": ["", "<a>"],
    "<a><b></b>": ["<a>", "<b></b>", "</a>"],
    "& in XML": ["<a>", "&", "</a>"],
    "<![CDATA[": ["<a>", "<![CDATA["],
    "<!--": ["<a>", "<!--", "</a>"],
    "<?": ["<a>", "<?", "</a>"],
    "an attribute": ['<a b="', "x", '"/>'],
    "> in an attribute": ['<a b="', ">", '"/>'],
    attributes: ["<a", (index) => ` b${index}="c"`, "/>"],
    "quotes in a tag": ["<a", ' "', "/>"],
    "spaces in a tag": ["<a ", " ", "=/>"],
    "tags of 200 spaces": ["<r>", `<a b${" ".repeat(200)}=/>`, "</r>"],
    "fields of a deck": [`AL, 06, 2018090100,   , ${fix}`, " ,"],
    "a line of a deck": [`AL, 06, 2018090100,   , ${fix}`, "SPAWNINVEST, al722018 to al902018,"],
    "fixes of a deck": ["", (index) => `AL, 06, ${2_000_000_000 + index}, ${fix}\n`],
    "[": ["", "["],
    '{"a":': ["", '{"a":'],
    "properties of JSON": ["{", (index) => `"a${index}":1,`, '"activeStorms":[]}'],
    "parts of a bulletin": [`[${title},${part(0)}`, (index) => `,${part(index + 1)}`, "]"],
    "areas of a part": [`[${title},${part(0).slice(0, -1)},"galeWarning":[0`, ',{"range":{"nm":9}}', "]}]"],
    "radii of an advisory": [`${jma}30KT `, "9NM "],
    "blank lines of a warning": [warning, "\n"],
    "past fixes": [`${tcw}T000 225N 1272E 060\n`, (index) => pastFix(494_000 - index)],
    "forecast hours": [tcw, (index) => `T${String(index % 1000).padStart(3, "0")} 225N 1272E 060\n`],
    "radii of a coded warning": [
      `${tcw}T000 225N 1272E 060 `,
      "R034 060 NE QD 030 SE QD 030 SW QD 075 NW QD ",
    ],
    "END PART": [`${warning}REMARKS:\n`, "END PART 1"],
    "( of a warning": ["WTPN31 PGTW 251500\n", "TYPHOON 25W ("],
    "a formation alert": [
      "WTPN21 PGTW 251500\nTROPICAL CYCLONE FORMATION ALERT (INVEST 90W)",
      " 1.0N 1.0E CANCEL",
    ],
    "areas of an outlook": [
      "ABPW10 PGTW 251500\nRMKS/\n B. TROPICAL DISTURBANCE SUMMARY:",
      " (1) AN AREA (INVEST 90W) HAS PERSISTED NEAR 1.0N 1.0E. THE POTENTIAL FOR THE DEVELOPMENT",
      "//\nNNNN\n",
    ],
    "blanks of a coded alert": ["WTPN21 PGTW 251500\n", " ", "ALERT ATCG\n//\nNNNN\n"],
    "past rows of an alert": ["WTPN21 PGTW 251500\nRMKS/\n//\n", "9926092500  95N1325W  20\n", "x"],
    "lines of a formation alert": [
      "WTPN21 PGTW 251500\nRMKS/\n(INVEST 90W) LOCATED NEAR 1.0N 1.0E ",
      "WITHIN 9 NM EITHER SIDE OF A LINE FROM ",
      "//\nNNNN\n",
    ],
    "chances of NHC": [
      "ABNT20 KNHC 251500\n",
      "* Formation chance through 48 hours...low...10 percent.\n",
      "$$\n",
    ],
    "white space of NHC": ["ABNT20 KNHC 251500\n", " \n", "$$\n"],
    "placemarks of a KML": [
      "<kml><Document><name>Atlantic Wed Aug 19 05:25:08 2026</name>",
      (index) =>
        `<Placemark><ExtendedData><Data name="Disturbance"><value>${index % 90}</value></Data></ExtendedData></Placemark>`,
      "</Document></kml>",
    ],
    "places of a KML": [
      "<kml><Document><name>Atlantic Wed Aug 19 05:25:08 2026</name><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>",
      (index) => `${index % 60},${(index * 7) % 50},0 `,
      "</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>",
    ],
    "fixes of vitals": ["", (index) => vitals(29_000_000 + index)],
    "blank lines": ["", "\n"],
    "lines of spaces before a warning": ["", `${" ".repeat(200)}\n`, `${warning}NNNN`],
    "spaces before NNNN": [warning, " "],
    "seas of a deck": ["", (index) => `${seas(index)}\n`],
  };

function textOf(kind: string, length: number): string {
  const [start, repeated, end = ""] = hostile[kind]!;
  const parts = [start];
  if (typeof repeated === "string") parts.push(repeated.repeat(Math.ceil(length / repeated.length)));
  else {
    for (let size = 0, index = 0; size < length; index++)
      size += parts.push(repeated(index)) && parts.at(-1)!.length;
  }
  // Without its end a text would be refused before it is read.
  return `${parts.join("")}${end}${/^[A-Z]{4}\d\d /.test(start) ? "\nNNNN\n" : "\n"}`;
}

describe("a hostile text", () => {
  it.each(Object.keys(hostile))(
    "is read or refused in a time that grows with its length alone: %s",
    (kind) => {
      // By powers of ten, so that a parser that is not linear fails here instead of running for hours.
      for (let length = LENGTH / 100; length <= LENGTH; length *= 10) {
        const text = textOf(kind, length);
        const begin = process.cpuUsage();
        const { isCut } = parseText("tc_TC2614.json", text, now);
        const { user, system } = process.cpuUsage(begin);
        const took = (user + system) / 1000;
        expect(isCut && text.endsWith("NNNN\n"), "refused before it was read").toBeFalsy();
        expect(took, `${length} characters`).toBeLessThan((LIMIT_MS * length) / LENGTH + 200);
      }
    },
  );
});
