import { expect, it } from "vitest";
import { publicUrl } from "#test/alerts.ts";
import { describeChannels, noKey, other } from "#test/channels.ts";
import { ask, textOf } from "#test/send.ts";

describeChannels("channels", (api) => {
  it("show the secret of a webhook once, and are their owner's alone", async () => {
    const made = await api.webhook();
    expect(made).toMatchObject({
      status: 201,
      json: {
        kind: "webhook",
        state: "active",
        secret: expect.stringMatching(/^whsec_/),
        target: `${api.receiver.url}/hook`,
      },
    });
    expect((await api.list()).json).toEqual({
      channels: [
        expect.objectContaining({ id: made.json.id, name: `${api.receiver.url}/hook`, error: null }),
      ],
      mail: true,
      calendar: false,
    });
    expect(JSON.stringify((await api.list()).json)).not.toContain("whsec_");
    expect((await api.list(other)).json.channels).toEqual([]);
    for (const [method, path] of [
      ["DELETE", ""],
      ["POST", "/test"],
      ["POST", "/secret"],
      ["POST", "/confirmation"],
    ] as const) {
      const others = await api.read(method, `/channels/${made.json.id}${path}`, { headers: other });
      expect([others.status, others.json]).toEqual([404, { detail: "Channel not found" }]);
      const malformed = await api.read(method, `/channels/nothing${path}`);
      expect([malformed.status, malformed.json]).toEqual([404, { detail: "Channel not found" }]);
    }
    expect(api.receiver.received).toEqual([]);
    expect((await api.read("DELETE", `/channels/${made.json.id}`)).status).toBe(204);
    expect((await api.list()).json.channels).toEqual([]);
  });

  it("are refused where the target is not public, in the same words as where its name is unknown", async () => {
    Object.assign(api.names, { "inside.example.org": "10.1.2.3", "meta.example.org": "169.254.169.254" });
    const refused = [];
    for (const target of [
      "https://inside.example.org/",
      "https://meta.example.org/latest/meta-data",
      "https://10.0.0.1/",
      "https://[::1]/",
      "http://127.0.0.2/",
    ])
      for (const kind of ["webhook", "ntfy"])
        refused.push(await api.create({ kind, target: new URL("topic", target).href }));
    for (const { status, json } of refused) expect([status, json]).toEqual([422, refused[0]!.json]);
    expect(refused[0]!.json.detail[0].loc).toEqual(["body", "target"]);
    expect((await api.list()).json.channels).toEqual([]);
  });

  it.each([
    [{ kind: "mail", target: "a@example.org\r\nBcc: b@example.org" }, "target"],
    [{ kind: "mail", target: "nobody" }, "target"],
    [{ kind: "webhook", target: "ftp://example.org/" }, "target"],
    [{ kind: "webhook", target: "https://user:secret@example.org/" }, "target"],
    [{ kind: "webhook", target: "https://example.org/#a" }, "target"],
    [{ kind: "ntfy", target: "https://ntfy.sh/" }, "target"],
    [{ kind: "ntfy", target: "https://ntfy.sh/boat", token: "a b" }, "token"],
    [{ kind: "webhook", target: "https://example.org/", token: "a" }, "token"],
    [{ kind: "sms", target: "https://example.org/" }, "kind"],
  ])("of a wrong form are refused: %j", async (body, field) => {
    const { status, json } = await api.create(body);
    expect([status, json.detail[0].loc]).toEqual([422, ["body", field]]);
  });

  it("are one for each target, and twenty at most", async () => {
    await api.webhook();
    expect((await api.webhook()).status).toBe(409);
    const more = Array.from({ length: 25 }, (_, at) =>
      api.create({ kind: "webhook", target: `${api.receiver.url}/${at}` }),
    );
    const statuses = (await Promise.all(more)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(19);
    expect(statuses.filter((status) => status === 409)).toHaveLength(6);
    expect((await api.list()).json.channels).toHaveLength(20);
  });

  it("send a test by the way of alerts, and tell what came of it", async () => {
    const { json: made } = await api.webhook();
    const { status, json } = await api.read("POST", `/channels/${made.id}/test?language=de`);
    expect([status, json]).toEqual([200, { delivered: true, error: null, error_code: null }]);
    expect(JSON.parse(api.receiver.received[0]!.body)).toMatchObject({
      type: "alert.test",
      data: { title: "Test von Open MetOcean" },
    });
  });
});

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
