import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Provider } from "@open-metocean/storms/bulletin";
import { describe, expect, it } from "vitest";
import { describeWithSamples } from "#test/samples.ts";
import { at, fixture } from "#test/storm-texts.ts";
import { type DerivedStorms, deriveStorms } from "./derive.ts";
import { judgeText } from "./live/live-round.ts";

type Texts = Readonly<Record<string, string>>;

/** Reads a folder once. */
function read(provider: Provider, texts: Texts, now: number, before?: DerivedStorms): DerivedStorms {
  const feed = Object.entries(texts)
    .map(([source, text]) => ({ source, text, receivedAt: now }))
    .sort((one, other) => (one.source < other.source ? -1 : 1));
  const known = before && { previous: before.storms, feed: before.feed, areas: before.areas };
  return deriveStorms({ provider, texts: feed, previous: [], ...known, now });
}

/** Where storms are, the newest forecast included, and whether they are active. */
const seen = ({ storms }: DerivedStorms) =>
  storms.map(({ entry: { id, is_active, tracks } }) => ({
    id,
    is_active,
    now: tracks.observed.at(-1)?.lat,
    later: tracks.forecast?.points.at(-1)?.lat,
  }));

interface Telegram {
  /** Hour of the analysis on the 28th of September 2020, UTC; it is issued 50 minutes later. */
  hour: number;
  latitude?: number;
  type?: string;
  status?: string;
  /** Minutes after the time of issue. */
  sent?: number;
  /** Words on the storm's life. */
  remark?: string;
}

const iso = (minutes: number) =>
  new Date(Date.UTC(2020, 8, 28) + minutes * 60_000).toISOString().replace(".000", "");

/** A telegram of the JMA on TC2001, in the form of its published examples. */
function telegram(of: Telegram): string {
  const { hour, latitude = 17.8, type = "発表", status = "通常", sent = 2, remark = "" } = of;
  const place = (north: number) =>
    `<jmx_eb:Coordinate type="中心位置（度）">+${north.toFixed(1)}+143.0/</jmx_eb:Coordinate>`;
  const info = (name: string, minutes: number, north: number) =>
    `<MeteorologicalInfo><DateTime type="${name}">${iso(minutes)}</DateTime><Item>
<Kind><Property><TyphoonNamePart><Name>KUJIRA</Name><Number>2012</Number><Remark>${remark}</Remark></TyphoonNamePart></Property></Kind>
<Kind><Property><ClassPart><jmx_eb:TyphoonClass>台風(TS)</jmx_eb:TyphoonClass></ClassPart></Property></Kind>
<Kind><Property><CenterPart>${place(north)}</CenterPart></Property></Kind></Item></MeteorologicalInfo>`;
  const body =
    type === "取消"
      ? "<Text>先に発表した情報を取り消します。</Text>"
      : `<MeteorologicalInfos type="台風情報">${info("実況", hour * 60, latitude)}${info("予報　２４時間後", hour * 60 + 1440, latitude + 2)}</MeteorologicalInfos>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Report xmlns:jmx_eb="eb"><Control><Title>台風解析・予報情報（５日予報）（Ｈ３０）</Title><DateTime>${iso(hour * 60 + 50 + sent)}</DateTime><Status>${status}</Status></Control>
<Head><ReportDateTime>${iso(hour * 60 + 50)}</ReportDateTime><TargetDateTime>${iso(hour * 60)}</TargetDateTime><EventID>TC2001</EventID><InfoType>${type}</InfoType><Serial>3</Serial><InfoKind>台風解析・予報情報（５日予報）</InfoKind></Head>
<Body>${body}</Body></Report>`;
}

/** A coded warning of JTWC on 25W at 06:00 on the 25th of September 2026. */
const warning = (latitude: number, group = "", more = "") =>
  [
    `WTPN51 PGTW 250900${group}`,
    "WARNING    ATCG MIL 25W NWP 260925093833",
    "2026092506 25W SURIGAE    014  01 305 12 SATL 060",
    `T000 ${latitude * 10}N 1360E 060`,
    `T024 ${latitude * 10 + 20}N 1340E 065`,
    "AMP",
    `${more}//`,
    `26092500${latitude * 10}N1370E  55`,
    `26092506${latitude * 10}N1360E  60`,
    "NNNN",
    "",
  ].join("\n");

const alert = fixture("wp9226web.txt");

/** A best track of an id: the storm is at 17 N. */
const deck = (id: string) => `${id}, 2026092506,   , BEST,   0, 170N,  1360E,  30, 1004, TD,\n`;

const jma = (telegrams: Readonly<Record<string, Telegram>>) =>
  Object.fromEntries(Object.entries(telegrams).map(([name, of]) => [name, telegram(of)]));

const typhoon = (now: number) => [{ id: "WP122020", is_active: true, now, later: now + 2 }];
const surigae = (now: number) => [{ id: "WP252026", is_active: true, now, later: now + 2 }];

const JMA_NOW = at("2020-09-28T10:00");
const JTWC_NOW = at("2026-09-25T10:00");

interface Case {
  what: string;
  provider: Provider;
  now: number;
  /** The first text is read before the second, and then the other way round. */
  texts: readonly [string, string];
  /** Texts that are there before both, and with them. */
  beside?: Texts;
  expected: ReturnType<typeof seen>;
}

const cases: Case[] = [
  {
    what: "JMA: an exercise changes nothing",
    provider: "jma",
    now: JMA_NOW,
    texts: [telegram({ hour: 6 }), telegram({ hour: 9, latitude: 30, status: "訓練" })],
    expected: typhoon(17.8),
  },
  {
    what: "JMA: a test changes nothing",
    provider: "jma",
    now: JMA_NOW,
    texts: [telegram({ hour: 6 }), telegram({ hour: 9, latitude: 30, status: "試験" })],
    expected: typhoon(17.8),
  },
  {
    what: "JMA: a correction replaces what it corrects",
    provider: "jma",
    now: JMA_NOW,
    texts: [telegram({ hour: 6, latitude: 22.8 }), telegram({ hour: 6, type: "訂正", sent: 20 })],
    expected: typhoon(17.8),
  },
  {
    what: "JMA: the later of two corrections counts",
    provider: "jma",
    now: JMA_NOW,
    texts: [
      telegram({ hour: 6, latitude: 22.8, type: "訂正", sent: 20 }),
      telegram({ hour: 6, type: "訂正", sent: 40 }),
    ],
    expected: typhoon(17.8),
  },
  {
    what: "JMA: a correction revives a storm that the wrong text had ended",
    provider: "jma",
    now: JMA_NOW,
    texts: [
      telegram({ hour: 6, remark: "台風消滅（域外へ出る）" }),
      telegram({ hour: 6, type: "訂正", sent: 20 }),
    ],
    expected: typhoon(17.8),
  },
  {
    what: "JMA: of a cancelled bulletin nothing stays, and the one before answers",
    provider: "jma",
    now: JMA_NOW,
    beside: jma({ "0_3.xml": { hour: 3 } }),
    texts: [telegram({ hour: 6, latitude: 22.8 }), telegram({ hour: 6, type: "取消", sent: 20 })],
    expected: typhoon(17.8),
  },
  {
    what: "JMA: a storm of which the only bulletin is cancelled is published no more",
    provider: "jma",
    now: JMA_NOW,
    texts: [telegram({ hour: 6 }), telegram({ hour: 6, type: "取消", sent: 20 })],
    expected: [],
  },
  {
    what: "JMA: a bulletin that is sent again after a cancellation counts",
    provider: "jma",
    now: JMA_NOW,
    beside: jma({ "0_6.xml": { hour: 6, latitude: 22.8 } }),
    texts: [telegram({ hour: 6, type: "取消", sent: 20 }), telegram({ hour: 6, sent: 40 })],
    expected: typhoon(17.8),
  },
  {
    what: "JMA: a bulletin issued anew counts",
    provider: "jma",
    now: JMA_NOW,
    texts: [telegram({ hour: 3, latitude: 22.8 }), telegram({ hour: 6 })],
    expected: typhoon(17.8),
  },
  {
    what: "JMA: a copy changes nothing",
    provider: "jma",
    now: JMA_NOW,
    texts: [telegram({ hour: 6 }), telegram({ hour: 6 })],
    expected: typhoon(17.8),
  },
  {
    what: "JTWC: an exercise changes nothing",
    provider: "jtwc",
    now: JTWC_NOW,
    texts: [warning(16), warning(30, "", "EXERCISE EXERCISE EXERCISE")],
    expected: surigae(16),
  },
  {
    what: "JTWC: a test changes nothing",
    provider: "jtwc",
    now: JTWC_NOW,
    texts: [warning(16), warning(30, "", "THIS IS A TEST")],
    expected: surigae(16),
  },
  {
    what: "JTWC: a text marked COR replaces what it corrects",
    provider: "jtwc",
    now: JTWC_NOW,
    texts: [warning(20), warning(16, " COR")],
    expected: surigae(16),
  },
  {
    what: "JTWC: a text marked CCB replaces the one marked CCA",
    provider: "jtwc",
    now: JTWC_NOW,
    texts: [warning(20, " CCA"), warning(16, " CCB")],
    expected: surigae(16),
  },
  {
    what: "JTWC: a cancelled alert is withdrawn",
    provider: "jtwc",
    now: at("2026-09-25T14:00"),
    texts: [alert, fixture("wp9226web-cancelled.txt").replace("251300\n", "251330\n")],
    expected: [{ id: "WP922026", is_active: false, now: 13.1, later: undefined }],
  },
  {
    what: "JTWC: a copy changes nothing",
    provider: "jtwc",
    now: JTWC_NOW,
    texts: [warning(16), warning(16)],
    expected: surigae(16),
  },
  ...[50, 69, 70, 79, 80, 89].map(
    (number): Case => ({
      what: `ATCF: number ${number} is no storm`,
      provider: "jtwc",
      now: JTWC_NOW,
      texts: [warning(16), deck(`AL, ${number}`)],
      expected: surigae(16),
    }),
  ),
];

describe("a text's own status is obeyed, whatever the order of the files", () => {
  it.each(cases)("$what", ({ provider, now, texts: [first, second], beside = {}, expected }) => {
    for (const texts of [
      { "1.txt": first, "2.txt": second },
      { "1.txt": second, "2.txt": first },
    ]) {
      const derived = read(provider, { ...beside, ...texts }, now);
      expect(seen(derived)).toEqual(expected);
      expect(derived.problems.filter(({ isRead }) => !isRead)).toEqual([]);
    }
  });

  it.each(cases)("$what, also when one is read a minute after the other", (of) => {
    const { provider, now, texts, beside = {}, expected } = of;
    for (const [first, second] of [texts, texts.toReversed()]) {
      const before = read(provider, { ...beside, "1.txt": first! }, now - 60);
      const both = read(provider, { ...beside, "1.txt": first!, "2.txt": second! }, now, before);
      expect(seen(both)).toEqual(expected);
    }
  });

  it.each(cases.filter(({ what }) => /corrects|correction|CCB/.test(what)))(
    "$what, in one slot, and the mirror shows the old one again",
    ({ provider, now, texts: [first, second], expected }) => {
      let known: DerivedStorms | undefined;
      for (const [minutes, text] of [first, second, first].entries())
        known = read(provider, { "1.txt": text }, now + 60 * minutes, known);
      expect(seen(known!)).toEqual(expected);
    },
  );
});

it("a cancellation that stays in the feed takes nothing from a bulletin that was sent again", () => {
  const cancelled = telegram({ hour: 6, type: "取消", sent: 10 });
  const wrong = telegram({ hour: 6, latitude: 30 });
  const again = telegram({ hour: 6, latitude: 18.5, sent: 20 });
  const end = telegram({ hour: 9, latitude: 19, remark: "台風消滅" });
  for (const first of [{ wrong }, {}] as Texts[]) {
    let known = read("jma", first, JMA_NOW);
    const next = (texts: Texts) => {
      known = read("jma", { cancelled, ...texts }, JMA_NOW, known);
      return seen(known);
    };
    expect(next({ ...first, again })).toEqual(typhoon(18.5));
    // The text that was sent again has left the feed.
    expect(next({})).toEqual(typhoon(18.5));
    expect(next({ end })).toMatchObject([{ is_active: false, now: 19 }]);
    expect(next({ again })).toMatchObject([{ is_active: false, now: 19 }]);
    expect(next({})).toMatchObject([{ is_active: false, now: 19 }]);
    expect(known.storms[0]!.entry.tracks.observed.map(({ lat }) => lat)).toEqual([18.5, 19]);
  }
});

it("a cancellation stays in force when it has left the feed and the withdrawn text is back", () => {
  const before = telegram({ hour: 3, latitude: 17 });
  const wrong = telegram({ hour: 6, latitude: 30 });
  const cancelled = telegram({ hour: 6, type: "取消", sent: 10 });
  const known = read("jma", { before, wrong, cancelled }, JMA_NOW);
  expect(seen(read("jma", { before, wrong }, JMA_NOW, known))).toEqual(typhoon(17));
});

it("names what it leaves out, and an exercise alone leaves a feed readable", () => {
  expect(read("jtwc", { "bal802026.dat": deck("AL, 80") }, JTWC_NOW).problems).toEqual([
    {
      source: "bal802026.dat",
      line: 0,
      reason: "AL802026 is no storm (storms are 01 to 49, invests 90 to 99, tests 80 to 89): left out",
      isRead: true,
    },
  ]);
  const exercise = telegram({ hour: 6, status: "訓練" });
  expect(read("jma", { "1.xml": exercise }, JMA_NOW).problems).toMatchObject([
    { reason: expect.stringContaining("an exercise or a test"), isRead: true },
  ]);
});

it("a feed that is fetched takes no test for a damaged text, and a cancellation for a good one", () => {
  expect(judgeText("btk/bal802026.dat", deck("AL, 80"), JTWC_NOW)).toEqual({ kind: "void" });
  expect(judgeText("1.xml", telegram({ hour: 6, status: "試験" }), JMA_NOW)).toEqual({ kind: "void" });
  expect(judgeText("1.xml", telegram({ hour: 6, type: "取消" }), JMA_NOW).kind).toBe("good");
});

it("a list that is newer than the deck says whether a storm has a name", () => {
  const list = (name: string, time: string) =>
    JSON.stringify({
      activeStorms: [
        {
          id: "al022026",
          name,
          classification: "TD",
          intensity: "30",
          latitudeNumeric: 17,
          longitudeNumeric: -50,
          lastUpdate: `2026-09-25T${time}:00.000Z`,
        },
      ],
    });
  const track = (name: string) =>
    `AL, 02, 2026092506,   , BEST,   0, 170N,  500W,  30, 1004, TD,   0,    ,    0,    0,    0,    0, 1010,  150,  60,   0,   0,   L,   0,    ,   0,   0,  ${name}, S,\n`;
  const nameOf = (listed: string, time: string, inDeck: string) =>
    read(
      "jtwc",
      { "CurrentStorms.json": list(listed, time), "bal022026.dat": track(inDeck) },
      JTWC_NOW,
    ).storms.map(({ entry }) => entry.name);
  expect(nameOf("Beryl", "09:00", "TWO")).toEqual(["BERYL"]);
  expect(nameOf("Two", "09:00", "BERYL")).toEqual(["02L"]);
  expect(nameOf("Two", "03:00", "BERYL")).toEqual(["BERYL"]);
});

describeWithSamples("published telegrams", (samples) => {
  it("a correction that the JMA publishes replaces a bulletin of the same time", () => {
    const folder = join(samples, "jma/xml");
    const name = readdirSync(folder).find((file) =>
      readFileSync(join(folder, file), "utf8").includes("<InfoType>訂正"),
    )!;
    const corrected = readFileSync(join(folder, name), "utf8");
    const wrong = corrected
      .replace("<InfoType>訂正", "<InfoType>発表")
      .replaceAll("+17.8+143.0", "+22.8+143.0");
    for (const names of [
      ["a.xml", "b.xml"],
      ["b.xml", "a.xml"],
    ] as const) {
      const texts = { [names[0]]: wrong, [names[1]]: corrected };
      expect(seen(read("jma", texts, JMA_NOW))).toMatchObject([{ now: 17.8 }]);
    }
  });
});
