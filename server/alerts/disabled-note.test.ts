import { afterAll, beforeAll, expect, it } from "vitest";
import { deliveryFaults } from "#lib/contract/channels.ts";
import { languages } from "#lib/messages/language.ts";
import { addChannel, galeAlert } from "#test/alerts.ts";
import { de, en, es, fr, ja, pt, zh } from "#test/all-words.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { openTestStore, type TestStore } from "#test/tasks.ts";
import { type Claim, DeliveryQueue } from "./delivery-queue.ts";

const words = { en, fr, es, de, pt, ja, zh };

/** What is stored in English beside a code. */
const stored = {
  status: "the target answered HTTP 503",
  mail_refused: "The mail server refused the email (550)",
} as Partial<Record<string, string>>;

describeWithDatabase("the note of a disabled channel", (fresh) => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore(await fresh());
  });
  afterAll(() => test?.database.close());

  it.each(languages)("says why in the language of the alert, from the stored code (%s)", async (language) => {
    const { prisma } = test.database;
    const { faults } = words[language].channels;
    for (const code of deliveryFaults.filter((each) => each !== "other")) {
      await prisma.alert.deleteMany();
      const id = await addChannel(prisma, {
        kind: "webhook",
        target: "https://hook.example.org/a",
        owner: language,
      });
      const claim = {
        owner: language,
        channel: { id, name: "Bridge" },
        facts: { message: { ...galeAlert, language } },
      } as Claim;
      const error = stored[code] ?? "the socket did something";
      expect(await new DeliveryQueue(test.tables).disable(claim, { code, error })).toBe(true);
      const { payload } = await prisma.alert.findFirstOrThrow({ where: { kind: "channel" } });
      const { sentence, language: noted } = payload as typeof galeAlert;
      expect(noted).toBe(language);
      expect(sentence).toContain(faults[code]);
      expect(sentence).not.toMatch(/the target answered|the socket|The mail server refused/);
      if (code === "status") expect(sentence).toContain("(HTTP 503)");
      if (code === "mail_refused") expect(sentence).toContain("(SMTP 550)");
      await prisma.alertChannel.delete({ where: { id } });
    }
  });
});
