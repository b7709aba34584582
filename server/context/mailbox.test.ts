import { bufferSource } from "@open-metocean/grib2/byte-source";
import { scanGrib2 } from "@open-metocean/grib2/scan";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readMailRequests } from "#lib/saildocs/request.ts";
import { parseInstant } from "#lib/time.ts";
import { Queue } from "#server/http/queue.ts";
import { answerText, type MailWeather } from "#server/mailbox/answer.ts";
import { answerPoints } from "#server/metocean/points.ts";
import { makeOpengribsFile } from "#server/operations/opengribs-file.ts";
import { OpengribsFiles, opengribsLimits } from "#server/operations/opengribs-files.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { type Mailer, smtpMailer } from "#server/platform/mail.ts";
import { temporaryFolder } from "#test/archive.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { readMail, type SentMail } from "#test/raw-mail.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { mailWeather } from "./mailbox.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const archive = demoArchive(now);
const { signal } = new AbortController();

let smtp: SmtpStub;
let mailer: Mailer;
beforeAll(async () => {
  smtp = await openSmtpStub();
  mailer = smtpMailer(
    smtp.url,
    `Open MetOcean at the harbour of our club <${"weather".repeat(8)}@example.org>`,
  );
});
afterAll(async () => {
  mailer.close();
  await smtp.close();
});

function realWeather(): MailWeather {
  const blobs = folderBlobStore(temporaryFolder());
  const files = new OpengribsFiles({
    blobs,
    make: (file, aborted) => makeOpengribsFile({ archive, blobs }, file, aborted),
    queue: new Queue(opengribsLimits),
    maxBytes: 25 * 2 ** 20,
    now: () => now,
    onError(error) {
      throw error;
    },
  });
  return mailWeather({ archive, files, weather: { now: () => now }, ensureData: async () => {} });
}

/** The answer to a text as it reaches the sender, with the longest headers that it may have. */
async function answerTo(
  text: string,
  { weather = realWeather(), maxBytes = 500_000 } = {},
): Promise<SentMail> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const answer = await answerText(text, { weather, owner: "owner", maxBytes, onError }, signal);
  const about = `<${"i".repeat(190)}@boat.example>`;
  const headers = { "Auto-Submitted": "auto-replied", "In-Reply-To": about, References: about };
  const to = `${"skipper".repeat(9)}@${"boat".repeat(15)}.${"boat".repeat(15)}.example`;
  smtp.emails.length = 0;
  const id = "01234567-89ab-cdef-0123-456789abcdef";
  await mailer.send({ ...answer, id, to, subject: "Open MetOcean", headers });
  expect(errors).toEqual([]);
  return readMail(smtp.emails[0]!.raw);
}

const fieldsOf = ({ files }: SentMail) =>
  files.map(({ content }) => {
    const { fields, rejected } = scanGrib2(bufferSource("file", content));
    expect(rejected).toEqual([]);
    return fields;
  });

const MANY = "WIND,PRMSL,RAIN,GUST,WAVES";

it("a file of a thousand kilobytes is thinned to max 30k with its e-mail, and the e-mail says so", async () => {
  const line = `send gfs:30N,60N,60W,10W|0.5,0.5|0,3..96|${MANY}`;
  const [read] = readMailRequests(line).requests;
  if (read?.kind !== "file") throw new Error(JSON.stringify(read));
  const blobs = folderBlobStore(temporaryFolder());
  const whole = { request: read.request, key: "downloads/1", now, maxBytes: 1_000_000 };
  await expect(makeOpengribsFile({ archive, blobs }, whole, signal)).rejects.toThrow("would have about 2 MB");
  const mail = await answerTo(`${line}\nmax 30k`);
  expect(mail.octets).toBeLessThanOrEqual(30_000);
  expect(mail.octets).toBeGreaterThan(20_000);
  expect(mail.text).toMatch(
    /^GFS 2026-09-15 06Z: WIND PRMSL RAIN GUST, 2 deg, \d times to 2026-09-1\d \d\dZ\nGFS waves/,
  );
  expect(mail.text).toContain("Thinned to fit max 30k: you asked for 0.5 deg and 33 times.\n");
  expect(mail.text).toContain(
    "\nThese numbers are invented demo data, not a forecast.\nNot for navigation.\n",
  );
  const [fields] = fieldsOf(mail);
  expect(fields![0]!.grid).toMatchObject({ latitude: { step: 2 }, longitude: { step: 2 } });
});

it.each([
  [`send gfs:40N,50N,60W,45W|0.5,0.5|0,3..96|${MANY}`, 6],
  [`send gfs:40N,50N,60W,45W|0.5,0.5|0,3..96|${MANY},SEATMP,XYZ`, 12.5],
  [`send gfs:40N,50N,60W,45W|0.5,0.5|0,3..384|${MANY},SWELL,CLOUD,TEMP,CAPE`, 100],
  [`send gfs:20S,20N,170E,160W|0.25,0.25|0,12..96|${MANY}`, 200],
  ["send spot:47N,5W|16,1|WIND,GUST,PRMSL,WAVES,SWELL,RAIN,CLOUD,TEMP,CAPE,SST,CUR", 20],
  ["send spot:47N,5W|16,1|WIND,GUST,PRMSL,WAVES,SWELL,RAIN,CLOUD,TEMP,CAPE,SST,CUR", 6],
  [`send spot:47N,5W|5,6\nsend gfs:40N,50N,60W,45W|0.5,0.5|0,3..96|${MANY}\nsend ecmwf:30N,60N,60W,10W`, 10],
  [`send gfs:0N,60N,80W,5W|1,1|0,3..96|${MANY}\n`.repeat(5), 40],
  ["send nothing:40N\n".repeat(9), 6],
  [
    `send gfs:40N,50N,60W,45W|1,1|24|${Array.from({ length: 20 }, (_, at) => `UNKNOWN${at}X`)}\n`.repeat(9),
    6,
  ],
])("no e-mail is larger than asked: %s under max %ik", async (text, size) => {
  const mail = await answerTo(`${text}\nmax ${size}k`);
  expect(mail.octets).toBeLessThanOrEqual(size * 1000);
  // Nothing that a radio modem would have to encode.
  expect(mail.text).toMatch(/^[\x20-\x7e\n]+$/);
  expect(mail.text.split("\n").length).toBeGreaterThan(2);
  expect(new Set(mail.files.map(({ name }) => name)).size).toBe(mail.files.length);
  fieldsOf(mail);
});

it("a service's own limit holds where the e-mail names none or a larger one", async () => {
  const line = `send gfs:40N,50N,60W,45W|0.5,0.5|0,3..96|${MANY}`;
  for (const text of [line, `${line}\nmax 900k`]) {
    const mail = await answerTo(text, { maxBytes: 50_000 });
    expect(mail.octets).toBeLessThanOrEqual(50_000);
    expect(mail.text).toContain("Thinned to fit 50 kB, the most that is sent: you asked for");
  }
  expect((await answerTo(`${line}\nmax 1k`)).text).toBe(
    "An answer cannot be that small: write max 6k or more.\n",
  );
});

it("a spot has the numbers of POST /MetOcean, and the runs that they come from", async () => {
  const { text } = await answerTo("send spot:47N,5-30W|1,6|WIND,PRMSL,WAVES");
  const lines = text.split("\n");
  expect(lines[0]).toMatch(/^47\.00N 5\.50W UTC, .*2026-09-15T\d\dZ/);
  const timestamp = "2026-09-15T18:00:00Z";
  const points = [{ latitude: 47, longitude: -5.5, timestamp }];
  const variables = ["wind", "pressure", "wave"] as const;
  const request = {
    points,
    variables: [...variables],
    wind_height: 10,
    receive_mail: false,
    include_meta: false,
  };
  const { conditions } = (await answerPoints(archive, request, now, signal)).results[0]!;
  const [day, hour, from, knots, hpa, , height] = lines
    .find((line) => line.startsWith(" 15 18Z"))!
    .trim()
    .split(/\s+/);
  expect([day, hour]).toEqual(["15", "18Z"]);
  expect(Number(from)).toBe(Math.round(conditions.Winds_10m_Direction!) % 360);
  expect(Number(knots)).toBe(Math.round(conditions.Winds_10m_Intensity! / (1852 / 3600)));
  expect(Number(hpa)).toBe(Math.round(conditions.Pressure!));
  expect(Number(height)).toBeCloseTo(conditions.Waves_Significant_Height!, 1);
});

it("a place on land, and a time without data, are answered in one line", async () => {
  expect((await answerTo("send spot:46N,8E|3,6|WAVES")).text).toBe(
    "There is no forecast at this position.\n\nNot for navigation.\n",
  );
  const weather = realWeather();
  const away: MailWeather = {
    ...weather,
    series: () => Promise.reject(new UnavailableError("No data yet", 1)),
  };
  expect((await answerTo("send spot:46N,8W|3,6", { weather: away })).text).toBe(
    "The service cannot answer this at the moment. Please ask again later.\n\nNot for navigation.\n",
  );
});
