import { expect, it } from "vitest";
import { publicUrl } from "#test/alerts.ts";
import { describeChannels, noKey } from "#test/channels.ts";
import { ask, textOf } from "#test/send.ts";

describeChannels("the calendar of weather windows", (api) => {
  const window = (from: number, hours = 36) => ({ from, to: from + hours * 3600 });
  const watch = (owner: string, name: string, windows: object[], more = {}) =>
    api.test.database.prisma.watch.create({
      data: {
        id: crypto.randomUUID(),
        owner,
        name,
        question: {},
        language: "fr",
        found: { windows } as object,
        evaluatedAt: new Date(1_800_000_000_000),
        availableAt: new Date(),
        createdAt: new Date(),
        expiresAt: new Date(Date.now() + 86_400_000),
        ...more,
      },
    });
  const pathOf = (url: string) => url.slice(publicUrl.length);

  it("is read without a key by its secret address, which can be changed and ended", async () => {
    await watch("good-key", "Rade, été", [window(1_800_010_000)]);
    await watch("other-key", "Bob", [window(1_800_010_000)]);
    const { json: first } = await api.read("POST", "/channels/calendar");
    expect(first.url).toMatch(/^https:\/\/sea\.example\.org\/calendars\/[\w-]{32}\.ics$/);
    const reply = await ask("GET", pathOf(first.url), { headers: noKey });
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/calendar; charset=utf-8"]);
    const text = await textOf(reply);
    expect(text.match(/^SUMMARY:.*/gm)).toEqual(["SUMMARY:Rade\\, été"]);
    expect(text).toContain("DTSTART:20270115T104640Z\r\nDTEND:20270116T224640Z");
    const known = { ...noKey, "if-none-match": reply.headers.etag };
    expect((await ask("GET", pathOf(first.url), { headers: known })).status).toBe(304);
    const { json: second } = await api.read("POST", "/channels/calendar");
    expect((await ask("GET", pathOf(first.url), { headers: noKey })).status).toBe(404);
    expect((await ask("GET", pathOf(second.url), { headers: noKey })).status).toBe(200);
    expect((await api.list()).json.calendar).toBe(true);
    expect((await ask("DELETE", "/channels/calendar")).status).toBe(204);
    expect((await ask("GET", pathOf(second.url), { headers: noKey })).status).toBe(404);
    expect((await ask("DELETE", "/channels/calendar")).status).toBe(404);
  });

  it("keeps the id of a window that a new run moves by some hours, and has two for two of a day", async () => {
    const day = Date.UTC(2027, 0, 12) / 1000;
    const { id } = await watch("good-key", "a", [window(day + 3600, 4), window(day + 12 * 3600, 4)]);
    const { json } = await api.read("POST", "/channels/calendar");
    const text = async () => textOf(await ask("GET", pathOf(json.url), { headers: noKey }));
    const before = (await text()).match(/^UID:.*/gm);
    expect(before).toEqual([`UID:${id}-20270112@sea.example.org`, `UID:${id}-20270112-2@sea.example.org`]);
    const found = { windows: [window(day + 7200, 4), window(day + 14 * 3600, 4)] };
    await api.test.database.prisma.watch.update({ where: { id }, data: { found } });
    expect((await text()).match(/^UID:.*/gm)).toEqual(before);
  });
});
