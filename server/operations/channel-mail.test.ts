import { expect, it } from "vitest";
import { describeChannels, noKey, other } from "#test/channels.ts";

describeChannels("channels of mail", (api) => {
  /** Returns the links of the received e-mails to our page, with channel and token. */
  const links = async (name: string) => {
    await api.mailsSent();
    return api.emails.map(({ raw }) => {
      const text = raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
      const form = new RegExp(`/inbox#${name}=([0-9a-f-]{36})\\.([\\w.-]+)`);
      const [, channel = "", token = ""] = form.exec(text) ?? [];
      return { channel, token };
    });
  };

  const address = { kind: "mail", target: "Mate@example.org" };

  it("are sent nothing but a link until its reader has confirmed it, by a POST, once they want to", async () => {
    const { json: made } = await api.create(address);
    expect(made).toMatchObject({ state: "unconfirmed", secret: null });
    await api.alert(made.id);
    expect((await api.read("POST", `/channels/${made.id}/test`)).status).toBe(409);
    const [link] = await links("confirm-channel");
    expect(api.emails).toHaveLength(1);
    expect(link!.channel).toBe(made.id);
    for (const wrong of [
      { ...link, token: `${link!.token}x` },
      { ...link, token: link!.token.replace(/^\d+/, (time) => String(Number(time) + 1)) },
      { ...link, channel: "0199aaaa-0000-7000-8000-000000000001" },
      { channel: "nothing", token: "" },
    ])
      expect((await api.read("POST", "/channels/confirm", { body: wrong, headers: noKey })).status).toBe(410);
    expect((await api.list()).json.channels[0].state).toBe("unconfirmed");
    expect((await api.read("POST", "/channels/confirm", { body: link, headers: noKey })).status).toBe(200);
    expect((await api.list()).json.channels[0].state).toBe("active");
    await api.deliver();
    expect(api.emails).toHaveLength(2);
  });

  it("are not confirmed by a link of more than three days ago", async () => {
    await api.create(address);
    const [link] = await links("confirm-channel");
    api.base.time += 3 * 86_400 + 1;
    expect((await api.read("POST", "/channels/confirm", { body: link })).status).toBe(410);
    api.base.time -= 2;
    expect((await api.read("POST", "/channels/confirm", { body: link })).status).toBe(200);
  });

  it("are ended by one click of a mail program, and only a new confirmation begins them again", async () => {
    const { json: made } = await api.create(address);
    const [link] = await links("confirm-channel");
    await api.read("POST", "/channels/confirm", { body: link });
    await api.alert(made.id);
    const head = api.emails[1]!.raw.replace(/\r\n[ \t]+/g, " ");
    const target = /^List-Unsubscribe: <https:\/\/sea\.example\.org(\/channels\/unsubscribe\?\S+)>/m.exec(
      head,
    )![1]!;
    const form = { ...noKey, "content-type": "application/x-www-form-urlencoded" };
    // A program that checks mails opens their links, which changes nothing.
    const opened = await api.read("GET", target, { headers: noKey });
    expect([opened.status, opened.headers.location]).toEqual([
      303,
      expect.stringContaining("/inbox#unsubscribe="),
    ]);
    expect((await api.list()).json.channels[0].state).toBe("active");
    const clicked = await api.read("POST", target, {
      headers: form,
      body: "List-Unsubscribe=One-Click",
    });
    expect(clicked.status).toBe(200);
    expect((await api.list()).json.channels[0].state).toBe("unsubscribed");
    expect((await api.read("POST", `/channels/${made.id}/test`)).status).toBe(409);
    expect((await api.read("POST", `${target}x`, { headers: form })).status).toBe(410);
    expect((await api.read("POST", `/channels/${made.id}/confirmation`)).status).toBe(202);
    const again = (await links("confirm-channel")).at(-1);
    expect((await api.read("POST", "/channels/confirm", { body: again })).status).toBe(200);
    expect((await api.list()).json.channels[0].state).toBe("active");
    expect((await api.read("POST", `/channels/${made.id}/confirmation`)).status).toBe(409);
  });

  it("that are refused use up no allowance", async () => {
    const same = { kind: "mail", target: "me@example.org" };
    const { json } = await api.create(same);
    for (let each = 0; each < 5; each++) expect((await api.create(same)).status).toBe(409);
    expect((await api.read("POST", `/channels/${json.id}/confirmation`)).status).toBe(202);
    await api.mailsSent();
  });

  it("are no means to send e-mails to strangers", async () => {
    const statuses = async (count: number, make: (at: number) => object, headers = {}) => {
      const found = [];
      for (let at = 0; at < count; at++) found.push((await api.create(make(at), headers)).status);
      return found;
    };
    const same = { kind: "mail", target: "victim@example.org" };
    expect((await api.create(same)).status).toBe(201);
    const { id } = (await api.list()).json.channels[0];
    const asked = [];
    for (let each = 0; each < 3; each++)
      asked.push((await api.read("POST", `/channels/${id}/confirmation`)).status);
    expect(asked).toEqual([202, 202, 429]);
    expect(await statuses(1, () => same, other)).toEqual([429]);
    const many = await statuses(10, (at) => ({ kind: "mail", target: `v${at}@example.org` }));
    expect(many.filter((status) => status === 429).length).toBeGreaterThan(0);
    await api.mailsSent();
    expect(api.emails.length).toBeLessThanOrEqual(10);
  });

  it("are not made where the service sends no mail", async () => {
    api.disconnectMail();
    const { status, json } = await api.create(address);
    expect([status, json.detail[0].loc]).toEqual([422, ["body", "kind"]]);
    expect((await api.list()).json.mail).toBe(false);
  });
});
