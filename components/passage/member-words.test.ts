import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import type { MemberOutcome } from "#lib/contract/passage-reply.ts";
import { passage } from "#lib/messages/generated/en/passage.ts";
import { loadPage } from "#lib/messages/generated/load.ts";
import { limitNames } from "#lib/passage/limits.ts";
import { membersAtDeparture, orderOfMembers } from "#lib/passage/members.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { seeded } from "#test/seeded.ts";
import {
  membersArrival,
  membersCause,
  membersFacts,
  membersSentence,
  membersTone,
  membersWorst,
  totalOf,
} from "./member-words.ts";
import type { PassageStyle } from "./passage-format.tsx";

const style: PassageStyle = { units: defaultUnits, zone: utc, words: passage.outlook };
const start = parseInstant("2026-09-15T12:00:00Z");
const departure = formatInstant(start);

/** Members drawn at random: each keeps the limits, does not, or is not known. */
function drawn(random: () => number, count: number): MemberOutcome[] {
  return Array.from({ length: count }, (_, member): MemberOutcome => {
    const keeps = random() < 0.2 ? null : random() < 0.6;
    const time = formatInstant(start + Math.floor(86_400 * random()));
    const arrives = keeps === true || random() < 0.5;
    const breaks = keeps === false;
    return {
      member,
      keeps,
      arrival: arrives ? time : null,
      ending: arrives ? "arrived" : "forecast_ends",
      by: breaks ? limitNames[Math.floor(3 * random())]! : null,
      leg: breaks ? Math.floor(2 * random()) : null,
      at: breaks ? { latitude: 48, longitude: -5, timestamp: time } : null,
      broken_legs: breaks ? [0] : [],
      known_legs: keeps === null ? 1 : 2,
      max_wind_kt: 40 * random(),
      max_gust_kt: null,
      max_height_m: 5 * random(),
      max_ratio: breaks ? 1 + random() : random(),
    };
  });
}

it("sentences about members are plain counts in words, and never say of the world what members say", () => {
  const random = seeded(7);
  for (let round = 0; round < 2000; round++) {
    const count = 1 + Math.floor(50 * random());
    const members = drawn(random, count);
    const at = membersAtDeparture(departure, members, 2);
    const of = (keeps: boolean | null) => members.filter((one) => one.keeps === keeps).length;
    const noun = count === 1 ? "member" : "members";
    const parts = [
      `${of(true)} of ${count} ${noun} within your limits`,
      ...(of(false) > 0 ? [`${of(false)} not`] : []),
      ...(of(null) > 0 ? [`${of(null)} not known`] : []),
    ];
    expect(membersSentence(at, style)).toBe(parts.join(", "));
    expect(totalOf(at)).toBe(count);
    expect(membersTone(at)).toBe(
      of(true) === count ? "ok" : of(true) > 0 ? "caution" : of(false) > 0 ? "danger" : "none",
    );
    const arrived = members.filter(({ arrival }) => arrival !== null).length;
    expect(membersArrival(at, style)).toMatch(
      arrived === 0 ? /^No member arrives/ : new RegExp(`: ${arrived} of ${count}$`),
    );
    const [cause] = at.causes;
    if (of(false) === 0) expect(membersCause(at, style)).toBe("");
    else {
      const first = members.filter(({ keeps, by }) => keeps === false && by === cause!.by);
      expect(membersCause(at, style)).toContain(`in ${first.length} member`);
      expect(cause!.at.timestamp).toBe(first.map((one) => one.at!.timestamp).sort()[0]);
      for (const { by } of at.causes)
        expect(cause!.members).toBeGreaterThanOrEqual(
          members.filter((one) => one.keeps === false && one.by === by).length,
        );
    }
    const text = [
      membersSentence(at, style),
      membersArrival(at, style),
      membersCause(at, style),
      membersWorst(at, style),
    ].join(" ");
    expect(text).not.toMatch(/likely|probab|chance/i);
  }
});

it("the arrival is said once where the early and the late members arrive in the same minute", () => {
  const random = seeded(5);
  const at = membersAtDeparture(formatInstant(start), drawn(random, 31), 2);
  const time = formatInstant(start + 3600);
  const same = { ...at, arrival: { ...at.arrival, early: time, likely: time, late: time } };
  const [before] = membersArrival(same, style).split(" in at least 80%");
  expect(before).toMatch(/^Arrival \S.*\d\d:\d\d$/);
  expect(membersArrival(same, style)).not.toContain(" to ");
});

it("the departures stand in the order of the members that keep the limits", () => {
  const random = seeded(3);
  for (let round = 0; round < 200; round++) {
    const rows = Array.from({ length: 6 }, (_, at) =>
      membersAtDeparture(formatInstant(start + 3600 * at), drawn(random, 31), 2),
    );
    const { share } = orderOfMembers(rows);
    const kept = share.map((at) => rows[at]!.keep);
    expect(kept).toEqual(kept.toSorted((one, other) => other - one));
  }
});

it.each(["en", "fr", "es", "de", "pt", "ja", "zh"] as const)(
  "prints each number of members in %s, 0 and 1 too",
  async (language) => {
    const words = (await loadPage[language]()) as unknown as { passage?: typeof passage };
    const { members } = (
      words.passage ?? (await import(`#lib/messages/generated/${language}/passage.ts`)).passage
    ).outlook;
    for (const [keep, total] of [
      [0, 1],
      [1, 1],
      [0, 31],
      [1, 31],
      [23, 31],
    ] as const) {
      const texts = [
        members.keep({ keep, total }),
        members.share({ keep, total }),
        members.better({ better: keep, own: keep, total }),
      ];
      for (const text of texts)
        expect(text.match(/\d+/g)!.map(Number).sort()).toEqual(expect.arrayContaining([keep, total]));
      for (const text of [
        members.not({ count: keep }),
        members.notKnown({ count: keep }),
        members.cause({ count: keep, what: "", where: "" }),
      ])
        expect(text).toContain(String(keep));
      expect(members.run({ ensemble: "GEFS", when: "", count: keep, size: total })).toContain(String(total));
    }
  },
);

it("names each run with how many of its members stand on it, and the limits that are not judged", () => {
  const lines = membersFacts(
    {
      ensemble: "gefs",
      members: [0, 1, 2],
      size: 31,
      unjudged_limits: ["cape_j_kg"],
      runs: [
        { run: "a", source: "gefs", model: "GEFS", reference_time: departure, members: [0, 1] },
        {
          run: "b",
          source: "gefs",
          model: "GEFS",
          reference_time: formatInstant(start - 21_600),
          members: [2],
        },
      ],
      departures: [],
      order: { share: [], worst: [], time: [] },
      caution: "",
    },
    "GEFS",
    style,
  );
  expect(lines[0]).toMatch(/^GEFS, .*12:00.*: 2 of 31 members$/);
  expect(lines[1]).toMatch(/^GEFS, .*06:00.*: 1 of 31 members$/);
  expect(lines[2]).toBe("Not in the ensemble, and not judged: CAPE (thunderstorms).");
});
