import { expect, it } from "vitest";
import { describeCone, describeDangerArea } from "#lib/storms/provenance.ts";
import { de, es, fr, ja, zh } from "#test/all-words.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { stormPanel } from "#test/storm-panel.tsx";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";
import { formatChance, formatMoving, formatStage, quadrantLines } from "./format-storm.ts";
import { stormsQuery } from "./storm-queries.ts";

const storm = stormOf([
  aheadPoint(0, { latitude: 24, longitude: -58 }),
  aheadPoint(24, { latitude: 28, longitude: -62 }),
]);

it("each language builds its own sentence of where a storm goes, in its own units", () => {
  const motion = { heading_deg: 296, speed_kmh: 20.4 };
  expect([de, fr, es, ja, zh].map((words) => formatMoving(motion, words))).toEqual([
    "Zieht nach 296° mit 11 kn",
    "Se déplace vers le 296° à 11\u00a0nd",
    "Se desplaza hacia 296° a 11 kn",
    "296°へ11 ktで移動中",
    "以11 节向296°移动",
  ]);
  expect(quadrantLines({ ne: 185.2, se: 0, sw: 0, nw: 0 }, de)).toEqual(["NO 100 SO 0", "SW 0 NW 0"]);
});

it("says the stage of a storm and the likelihood of one as sailors of the language do", () => {
  const strong = { type: "HU", category: 3, vmax_kt: 100 } as const;
  expect(formatStage(strong, { id: "WP212026", provider: "jma" }, ja)).toBe("非常に強い台風");
  expect(formatStage(strong, { id: "AL222026", provider: "jtwc" }, zh)).toBe("飓风（3级）");
  const chance = { likelihood: "high", within_hours: 24, percent_48h: null, percent_7d: null } as const;
  expect(formatChance(chance, ja)).toBe("24時間以内の発生の可能性：高");
  expect(formatChance({ ...chance, percent_7d: 80 }, fr)).toBe(
    "Probabilité forte\u00a0: 80\u202f% en 7 jours",
  );
});

it("tells where a cone and a danger area come from", () => {
  const cone = {
    basin: "west_pacific",
    source: "borrowed_nhc",
    source_basin: "north_atlantic",
    year: 2026,
    radii_table_km: null,
    circles: [],
    center_line: [],
    envelope_polygon: null,
  } as const;
  const borrowed = { ...storm, cone: { ...cone, circles: [], center_line: [] } };
  expect(describeCone(borrowed, fr)).toBe(
    "table 2026 du NHC, deux tiers des erreurs de prévision, empruntée à un autre bassin (Atlantique Nord)",
  );
  const area = { method: "classic", thresholdKt: 34, circles: [], outline: null } as const;
  expect(describeDangerArea({ ...area, circles: [] }, ja)).toBe(
    "34 kt以上の風の範囲に1日あたり100 海里（1-2-3ルール）を加えたもの（72時間先まで）",
  );
});

it("shows the list and the card in German, with nothing of them in English", () => {
  const cache = filledCache(stormsQuery(TEST_KEY, "jtwc"), { entries: [storm], ageSeconds: 60 });
  const page = { clock: { now: BASE, time: BASE }, cache, words: de };
  const list = renderInPage(stormPanel, page);
  expect(list).toMatch(/1-Minuten-Mittel.*Hurrikan, Kategorie 1, 70 kn.*Zieht nach 285°/);
  expect(list).not.toMatch(/[Ss]torm(?!s?-)[ <"]|Bulletin \d+ h old|Moving/);
  const card = renderInPage(stormPanel, { ...page, search: "storm=AL012026" });
  expect(card).toMatch(/aria-label="Wirbelsturm DEMOALFA".*Stärkster Wind.*Vorhersage, Winde als 1-Minuten/s);
});
