import path from "node:path";
import { describe, expect, it } from "vitest";
import { EnvError, readEnv, retiredSettings, settingNames } from "./env.ts";

function problems(
  record: Record<string, string>,
  checks?: Parameters<typeof readEnv>[1],
): Record<string, string> {
  try {
    readEnv(record, checks);
  } catch (error) {
    if (error instanceof EnvError) {
      return Object.fromEntries(error.problems.map(({ variable, problem }) => [variable, problem]));
    }
    throw error;
  }
  return {};
}

describe("the environment", () => {
  it("names given settings that no longer exist, with what replaced them, and no others", () => {
    const { retired } = readEnv({ WHEN_FULL: "delete_oldest", CHUNK_CACHE_MB: "", PORT: "1", UNKNOWN: "x" });
    expect(retired).toEqual([expect.stringMatching(/^WHEN_FULL is ignored .*: beyond STORED_MB/)]);
    expect(settingNames.filter((name) => name in retiredSettings)).toEqual([]);
    for (const instead of Object.values(retiredSettings))
      expect(instead.match(/[A-Z]+_[A-Z_]+/g)?.filter((name) => !settingNames.includes(name))).toEqual([]);
  });

  it("limits connections per address by default, except behind a proxy, where all share one address", () => {
    const of = (record: Record<string, string>) => readEnv({ MAX_CONNECTIONS: "100", ...record }).connections;
    expect(of({})).toMatchObject({ all: 100, ofAddress: 25 });
    expect(of({ TRUSTED_PROXIES: "1" })).toMatchObject({ all: 100, ofAddress: 100 });
    expect(of({ TRUSTED_PROXIES: "1", MAX_CONNECTIONS_PER_ADDRESS: "30" })).toMatchObject({
      all: 100,
      ofAddress: 30,
    });
    expect(of({ MAX_CONNECTIONS_PER_ADDRESS: "off" })).toMatchObject({ all: 100, ofAddress: 100 });
    expect(of({ MAX_CONNECTIONS_PER_ADDRESS: "5000" })).toMatchObject({ all: 100, ofAddress: 100 });
    expect(problems({ MAX_CONNECTIONS_PER_ADDRESS: "none" })).toEqual({
      MAX_CONNECTIONS_PER_ADDRESS: '"off" or a whole number from 1 to 1000000',
    });
  });

  it.each([
    [{}, "auto"],
    [{ FEEDS: "none" }, "auto"],
    [{ FEEDS: "lite" }, "never"],
    [{ FEEDS: "jtwc", DEMO: "auto" }, "never"],
    [{ FEEDS: "lite", DEMO: "always" }, "always"],
  ])("with %j the demo answers: %s", (record, demo) => {
    expect(readEnv(record).demo).toBe(demo);
  });

  it("takes names of feeds as files of sources may have them, with hyphens", () => {
    expect(readEnv({ FEEDS: "lite, regional" }).feeds.enabled).toBe("lite, regional");
  });

  it("answers from the folder that it writes, from another folder, or from a remote archive", () => {
    const own = path.resolve("here", "archive");
    const archiveOf = (ARCHIVE_URL?: string) => {
      const { archiveDir, archive } = readEnv({ DATA_DIR: "here", ARCHIVE_URL, AWS_REGION: "eu-west-1" });
      return [archiveDir, archive.place];
    };
    expect(archiveOf()).toEqual([own, { kind: "folder", folder: own }]);
    expect(archiveOf("file:///srv/a")).toEqual(["/srv/a", { kind: "folder", folder: "/srv/a" }]);
    expect(archiveOf("https://host/a")).toEqual([own, { kind: "https", url: "https://host/a" }]);
    expect(archiveOf("s3://abc/a")).toMatchObject([own, { kind: "s3", region: "eu-west-1" }]);
    expect(problems({ ARCHIVE_URL: "abc" })).toEqual({
      ARCHIVE_URL: "file:///folder, s3://bucket/prefix, or https://host/path",
    });
    expect(readEnv({ ARCHIVE_CACHE_MB: "3" }).archive.cacheBytes).toBe(3 * 2 ** 20);
  });

  it("names every wrong variable once with what is allowed, including what other checks found", () => {
    const wrong = {
      PORT: "80a",
      HOST: "two words",
      DATABASE_URL: "mysql://localhost/x",
      METOCEAN_NOW: "2020-02-30T00:00:00Z",
      BOOTSTRAP_API_KEY: "short",
      BOOTSTRAP_API_KEY_2: "short",
      BOOTSTRAP_API_KEY_LIMIT: "many",
      KEY_PEPPER: "salt",
      SMTP_URL: "mail.example.org",
      MAIL_FROM: "nobody",
      PUBLIC_URL: "ftp://example.org",
      LOG_LEVEL: "loud",
      TRUSTED_PROXIES: "-1",
      METRICS_PORT: "on",
      NODE_ENV: "prod",
      FEED_MIRROR: "notaurl",
      FEEDS: "gfss",
      ANSWER_TIME: "2 minutes",
    };
    const found = problems(wrong, {
      FEEDS: (feeds) => (feeds === "gfs" ? undefined : `there is no ${feeds}`),
    });
    expect(Object.keys(found).sort()).toEqual(Object.keys(wrong).sort());
    expect(found).toMatchObject({
      PORT: "a whole number from 0 to 65535",
      FEEDS: "there is no gfss",
      METOCEAN_NOW: expect.stringContaining("YYYY-MM-DDThh:mm:ssZ"),
      BOOTSTRAP_API_KEY_LIMIT: expect.stringContaining("600 per 1 minute"),
    });
  });

  it.each(["1e3", " 80", "65536", "-0", "0x50"])("rejects %j as a port", (text) => {
    expect(problems({ PORT: text })).toHaveProperty("PORT");
  });

  it("names DATABASE_URL when it is not a URL, and allows one without a host", () => {
    expect(problems({ DATABASE_URL: "postgresql://[" })).toHaveProperty("DATABASE_URL");
    expect(problems({ DATABASE_URL: "postgresql://user:secret@/metocean?host=/run/postgresql" })).toEqual({});
  });

  it("never prints a secret that it rejects", () => {
    const secret = "zx9!q w7";
    expect(() => readEnv({ BOOTSTRAP_API_KEY: secret, KEY_PEPPER: "pepper-short" })).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/zx9|pepper-short/) }),
    );
  });

  it("treats an empty value as unset", () => {
    expect(readEnv({ PORT: "", METOCEAN_NOW: "", BOOTSTRAP_API_KEY: "" })).toEqual(readEnv({}));
  });

  it("reads the clock, the keys of two owners and their limit", () => {
    const env = readEnv({
      METOCEAN_NOW: "2020-05-01T00:00:00Z",
      BOOTSTRAP_API_KEY: "first-of-two-keys",
      BOOTSTRAP_API_KEY_2: "second-of-two-keys",
      BOOTSTRAP_API_KEY_LIMIT: "100000 per 1 minute",
    });
    expect(env.frozenAt).toBe(1_588_291_200);
    expect(env.bootstrapKeys.map(({ owner }) => owner)).toEqual(["bootstrap", "bootstrap-2"]);
    expect(env.bootstrapLimit).toEqual({ count: 100_000, periodSeconds: 60, text: "100000 per 1 minute" });
  });

  it("rejects one key for two owners", () => {
    const same = { BOOTSTRAP_API_KEY: "one-and-the-same", BOOTSTRAP_API_KEY_2: "one-and-the-same" };
    expect(problems(same)).toHaveProperty("BOOTSTRAP_API_KEY_2");
  });
});

it("reads the settings of a mailbox, and refuses one whose answers no mail server sends", () => {
  const IMAP_URL = "imaps://weather%40example.org:se%2Fcret@imap.example.org:993/Requests";
  const SMTP_URL = "smtp://localhost";
  expect(readEnv({}).mailbox).toBeUndefined();
  expect(readEnv({ IMAP_URL, SMTP_URL }).mailbox).toEqual({
    url: IMAP_URL,
    senders: [],
    perDay: 50,
    maxBytes: 500_000,
  });
  const senders = "Skipper@boat.example, @crew.example";
  expect(readEnv({ IMAP_URL, SMTP_URL, MAILBOX_SENDERS: senders }).mailbox!.senders).toEqual([
    "skipper@boat.example",
    "@crew.example",
  ]);
  expect(() => readEnv({ IMAP_URL })).toThrow(/IMAP_URL: unset, unless SMTP_URL names a mail server/);
  for (const wrong of [
    "imap.example.org",
    "pop3://a:b@c",
    "imaps://user@host",
    "imaps://a@b:c@d",
    "imaps://a:%FF@d",
    "imaps://a:b@c d",
  ])
    expect(() => readEnv({ SMTP_URL, IMAP_URL: wrong })).toThrow(
      /IMAP_URL: imaps:\/\/user:password@host:port\/folder/,
    );
  for (const wrong of ["everybody", "a@b, c", "@", "a@b@c"])
    expect(() => readEnv({ SMTP_URL, IMAP_URL, MAILBOX_SENDERS: wrong })).toThrow(
      /MAILBOX_SENDERS: "none", or/,
    );
});

it("refuses keys by e-mail without a mail server, and shows visitors only the demo by default", () => {
  const { guests, keyRequests } = readEnv({});
  expect([guests.mode, guests.limit.text, keyRequests.on]).toEqual(["map", "120 per 1 minute", false]);
  expect(readEnv({ DEMO: "never" }).guests.mode).toBe("off");
  expect(readEnv({ FEEDS: "lite" }).guests.mode).toBe("off");
  expect(readEnv({ FEEDS: "lite", DEMO: "always" }).guests.mode).toBe("off");
  expect(readEnv({ GUESTS: "off" }).guests.mode).toBe("off");
  const set = readEnv({ GUESTS: "api", GUEST_LIMIT: "5 per hour" });
  expect([set.guests.mode, set.guests.limit.text]).toEqual(["api", "5 per 1 hour"]);
  for (const contact of ["keys@example.org", "https://example.org/keys"])
    expect(readEnv({ KEY_CONTACT: contact }).keyContact).toBe(contact);
  for (const wrong of ["nobody", "javascript:alert(1)", "a b@example.org"])
    expect(() => readEnv({ KEY_CONTACT: wrong })).toThrow(/KEY_CONTACT: an e-mail address/);
  expect(() => readEnv({ KEY_REQUESTS: "mail" })).toThrow(/KEY_REQUESTS: off, unless SMTP_URL/);
  expect(readEnv({ KEY_REQUESTS: "mail", SMTP_URL: "smtp://localhost" }).keyRequests.on).toBe(true);
  expect(() => readEnv({ GUESTS: "yes" })).toThrow(/GUESTS: one of off, map, api/);
});
