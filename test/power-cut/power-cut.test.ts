import { expect, it } from "vitest";
import { describeWithDatabase } from "#test/databases.ts";
import { openTestStore, type TestStore } from "#test/tasks.ts";
import { cutScenario } from "./cut-all.ts";
import { scenarios } from "./scenarios.ts";

/** Number of cuts; `npm run lab -- power-cut` makes 200. */
const CUTS = 6;

describeWithDatabase("after a loss of power", (fresh) => {
  const names = scenarios(undefined as never).map(({ name }) => name);

  it.each(names)(`promises are kept, and no torn file is accepted, while %s (${CUTS} cuts)`, async (name) => {
    const { database }: TestStore = await openTestStore(await fresh());
    try {
      const scenario = scenarios(database.prisma).find((each) => each.name === name)!;
      expect(await cutScenario(scenario, CUTS, 1)).toEqual([]);
    } finally {
      await database.close();
    }
  });
});
