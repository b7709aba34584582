import path from "node:path";
import { z } from "zod";
import { parseInstant } from "#lib/time.ts";
import {
  archivePlaces,
  archiveUrl,
  type BlobPlace,
  blobUrl,
  folderPlace,
  parsedPlace,
  withAwsVariables,
} from "./blob-url.ts";
import {
  connectionShareOf,
  MAX_EMBEDDED_PROCESSES,
  MAX_PROCESSES,
  MIN_MEMORY_MB,
  processShareOf,
} from "./process-share.ts";
import {
  byteCount,
  duration,
  keyText,
  mailboxUrl,
  networkList,
  oneOf,
  port,
  rateLimit,
  readSourceOrder,
  retention,
  senderList,
  sourceSettings,
  whole,
} from "./setting-forms.ts";

/** The validated environment of the process. */
export type Env = ReturnType<typeof readEnv>;

/** Exit status for a wrong configuration, EX_CONFIG of sysexits.h. */
export const EXIT_CONFIG = 78;

/** The service cannot run as it is installed or configured; the message says what to change. */
export class ConfigError extends Error {
  override readonly name: string = "ConfigError";
}

/** Names every wrong variable at once, each with what is allowed, and never contains a secret's value. */
export class EnvError extends ConfigError {
  override readonly name = "EnvError";
  readonly problems: readonly { variable: string; problem: string }[];
  constructor(problems: readonly { variable: string; problem: string }[]) {
    super(
      ["Wrong environment variables:", ...problems.map((p) => `  ${p.variable}: ${p.problem}`)].join("\n"),
    );
    this.problems = problems;
  }
}

/**
 * Reads the environment. An empty value counts as unset, so `PORT= npm start` takes the default.
 *
 * @param checks Further checks by variable, for rules that its form does not express. Each returns what is wrong with a
 *   value.
 * @throws EnvError
 */
export function readEnv(
  record: Readonly<Record<string, string | undefined>> = process.env,
  checks: Readonly<Record<string, (value: string, dataDir: string | undefined) => string | undefined>> = {},
) {
  const given = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ""));
  const result = schema.safeParse(given);
  // Only the first problem of a variable is reported: a value of the wrong form fails the later checks too.
  const problems = new Map<string, string>();
  const found = (name: string, problem: string) => problems.set(name, problems.get(name) ?? problem);
  for (const { path: at, message } of result.error?.issues ?? []) found(at.join("."), message);
  for (const [variable, check] of Object.entries(checks)) {
    const problem = given[variable] === undefined ? undefined : check(given[variable], result.data?.DATA_DIR);
    if (problem !== undefined) found(variable, problem);
  }
  if (!result.success || problems.size > 0)
    throw new EnvError([...problems].map(([variable, problem]) => ({ variable, problem })));
  const read = result.data;
  const share = processShareOf(read);
  const demo = read.DEMO === "auto" && read.FEEDS !== "none" ? "never" : read.DEMO;
  return {
    /** Port of the service; 0 takes any free port. */
    port: read.PORT,
    host: read.HOST,
    /** Absolute path. */
    dataDir: path.resolve(read.DATA_DIR),
    ...archivePlaces(read, given),
    /** URL of the PostgreSQL server. Default: the embedded PostgreSQL in `dataDir`. */
    databaseUrl: read.DATABASE_URL,
    /** Time at which the weather clock stands still, Unix seconds. */
    frozenAt: read.METOCEAN_NOW,
    /** Keys that are created at the start; never logged. */
    bootstrapKeys: [
      { owner: "bootstrap", text: read.BOOTSTRAP_API_KEY },
      { owner: "bootstrap-2", text: read.BOOTSTRAP_API_KEY_2 },
    ].filter((key): key is { owner: string; text: string } => key.text !== undefined),
    bootstrapLimit: read.BOOTSTRAP_API_KEY_LIMIT,
    /** The person who issues keys, as pages name them: an e-mail address or the address of a page. */
    keyContact: read.KEY_CONTACT,
    keyRequests: { on: read.KEY_REQUESTS === "mail", limit: read.KEY_REQUEST_LIMIT },
    /**
     * How visitors without a key are let in, and the limit of one address. By default visitors see demo data only
     * (`ofDemo`).
     */
    guests: {
      mode: read.GUESTS ?? (demo === "never" || read.FEEDS !== "none" ? "off" : "map"),
      ofDemo: read.GUESTS === undefined,
      limit: read.GUEST_LIMIT,
    },
    /** The file server for navigation programs; undefined where it is off. */
    opengribs: read.OPENGRIBS === "on" ? { limit: read.OPENGRIBS_LIMIT } : undefined,
    /** Largest file that is made for a navigation program or an e-mail, bytes. */
    opengribsMaxBytes: read.OPENGRIBS_MAX_MB * 2 ** 20,
    /** Secret mixed into every hash of a key. Default: one stored in the data directory or the database. */
    keyPepper: read.KEY_PEPPER,
    /** Mail server, `smtp://user:password@host:port`. Default: no email is sent. */
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    /** The mailbox whose requests are answered; undefined if there is none. */
    mailbox:
      read.IMAP_URL === undefined
        ? undefined
        : {
            url: read.IMAP_URL,
            senders: read.MAILBOX_SENDERS,
            perDay: read.MAILBOX_PER_DAY,
            maxBytes: read.MAILBOX_MAX_KB * 1000,
          },
    /** Public address of the service without a trailing slash, for links in e-mails. */
    linkBase: read.PUBLIC_URL,
    publicUrl: read.PUBLIC_URL ?? `http://localhost:${read.PORT}`,
    /** Networks, besides the open internet, to which alerts may be sent. */
    alertNetworks: read.ALERT_NETWORKS,
    logLevel: read.LOG_LEVEL,
    /** Whether browsers keep the pages for use without a network. */
    offlinePages: read.OFFLINE_PAGES === "on",
    /** Number of proxies in front of the service that add to X-Forwarded-For. */
    trustedProxies: read.TRUSTED_PROXIES,
    /** Most open connections, in all and per address. The number of file descriptors limits both. */
    connections: connectionShareOf(read, share.processes),
    /** Separate port for /metrics, or `off`, and who may read them. Default: the main port. */
    metricsPort: read.METRICS_PORT,
    metricsAccess: read.METRICS_ACCESS,
    /** Number of processes of this machine that answer requests, and what this one may use. */
    ...share,
    /**
     * When the demo answers: while the archive has no runs, always, or never. The default is never once feeds are
     * chosen, so that invented data does not mix with real data.
     */
    demo,
    demoSeed: read.DEMO_SEED,
    /** Order of the sources of a variable, best first, where a setting gives one. */
    sourceOrder: readSourceOrder(read),
    /** Seconds from the arrival of a request within which it is answered or refused. */
    answerSeconds: read.ANSWER_TIME,
    /** Seconds for which the process still accepts connections after it was told to stop. */
    drainSeconds: read.DRAIN_WAIT ?? 0,
    /** Part that this process plays: answering requests, computing tasks, fetching feeds, or all of them. */
    role: read.ROLE,
    /** Place of task requests, task results and stored answers. Default: the folder `tasks` in `dataDir`. */
    blobs: withAwsVariables(read.BLOB_URL ?? folderPlace(path.resolve(read.DATA_DIR, "tasks")), given),
    tasks: {
      /** Tasks that this process computes at the same time. */
      concurrency: read.TASKS_AT_ONCE,
      /** Longest run time of a task, seconds. */
      maxSeconds: read.TASK_TIME,
      /** Most pending tasks of one owner, and of all owners. */
      pendingOfOwner: read.TASKS_PER_OWNER,
      pending: read.TASKS_PENDING,
      /** Time for which a result, and the row of its task, are stored after the task has ended. */
      resultSeconds: read.RETENTION_RESULT,
      rowSeconds: read.RETENTION_ROW,
    },
    /** Time for which texts of storm feeds, and the history of a storm after its last bulletin, are stored. */
    storms: {
      textSeconds: read.RETENTION_STORM_TEXTS,
      historySeconds: read.RETENTION_STORM_HISTORY,
    },
    /** Folder of the definitions of tiles that other services have for the map. */
    overlays: path.resolve(read.DATA_DIR, "overlays"),
    feeds: {
      /** Names of feeds, a profile, or both: see `selectFeeds`. */
      enabled: read.FEEDS,
      /**
       * Folder of parts that are being fetched or are not published yet, and folder of the operator's own source
       * definitions.
       */
      folder: path.resolve(read.DATA_DIR, "feeds"),
      sources: path.resolve(read.DATA_DIR, "sources"),
      /** Replaces `https://<host>` of every feed by `<mirror>/<host>`. */
      mirror: read.FEED_MIRROR,
      /** How the operator of a feed can reach the operator of this service. */
      contact: read.FEED_CONTACT,
      bytesADay: read.FEED_BYTES_A_DAY ?? Number.POSITIVE_INFINITY,
      /** Size limit of the archive; undefined for the space of the disk. */
      diskBytes: read.FEED_DISK_MB === undefined ? undefined : read.FEED_DISK_MB * 1e6,
      /** Time for which fetched data is retained, seconds, unless the profile of the feed says otherwise. */
      keep: {
        cycles: read.KEEP_CYCLES,
        archive: read.KEEP_FORECAST_ARCHIVE,
        recent: read.KEEP_HINDCAST_3M,
        years: read.KEEP_HINDCAST_3Y,
      },
    },
    /** Disk space for requests, results and stored answers. */
    storage: {
      bytesOfOwner: read.STORED_MB_PER_OWNER * 2 ** 20,
      bytes: read.STORED_MB * 2 ** 20,
      /** Free disk space below which nothing new is accepted, bytes. */
      minFreeBytes: read.MIN_FREE_MB * 2 ** 20,
    },
    /** Whether tide stations are offered whose licence forbids commercial use. */
    nonCommercialTides: read.TIDES_NONCOMMERCIAL === "on",
    /** Whether GET /feeds and its page are open without a key. */
    statusIsPublic: read.STATUS_ACCESS === "public",
    /** A sentence for each given setting that no longer exists. */
    retired: Object.entries(retiredSettings)
      .filter(([name]) => given[name] !== undefined)
      .map(([name, instead]) => `${name} is ignored because it no longer exists: ${instead}`),
    /** Serves pages from source and rebuilds them while they are edited. */
    development: read.NODE_ENV === "development",
  };
}

const schema = z
  .object({
    PORT: port.default(3000),
    HOST: z
      .string()
      .regex(/^[A-Za-z0-9.:_-]+$/, "a host name or an IP address, such as 127.0.0.1")
      .default("127.0.0.1"),
    DATA_DIR: z
      .string()
      .refine((text) => !text.includes("\0"), "a folder")
      .default(".data"),
    DATABASE_URL: z
      .string()
      .refine(
        // The host may be given as a parameter: postgresql://user@/database?host=/run/postgresql.
        (url) => /^postgres(ql)?:\/\/\S+$/.test(url) && URL.canParse(url.replace("@/", "@host/")),
        "postgresql://user:password@host:port/database",
      )
      .optional(),
    BLOB_URL: blobUrl.optional(),
    ARCHIVE_URL: archiveUrl.optional(),
    ARCHIVE_CACHE_MB: whole(0, 99_999_999).default(1024),
    METOCEAN_NOW: z
      .string()
      .transform(parseInstant)
      .refine((seconds) => !Number.isNaN(seconds), "a real instant as YYYY-MM-DDThh:mm:ssZ")
      .optional(),
    BOOTSTRAP_API_KEY: keyText.optional(),
    BOOTSTRAP_API_KEY_2: keyText.optional(),
    BOOTSTRAP_API_KEY_LIMIT: rateLimit.optional(),
    KEY_REQUESTS: oneOf(["off", "mail"]).default("off"),
    KEY_CONTACT: z
      .union([z.email(), z.url({ protocol: /^https?$/ })], {
        error: "an e-mail address, or an address of a page",
      })
      .optional(),
    KEY_REQUEST_LIMIT: rateLimit.prefault("120 per 1 minute"),
    GUESTS: oneOf(["off", "map", "api"]).optional(),
    GUEST_LIMIT: rateLimit.prefault("120 per 1 minute"),
    OPENGRIBS: oneOf(["off", "on"]).default("off"),
    OPENGRIBS_LIMIT: rateLimit.prefault("60 per 1 hour"),
    OPENGRIBS_MAX_MB: whole(1, 1000).default(25),
    KEY_PEPPER: z.string().min(16, "at least 16 characters, the same in every replica").optional(),
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\/\S+$/, "smtp://user:password@host:port, or smtps://…")
      .refine(URL.canParse, "smtp://user:password@host:port, or smtps://…")
      .optional(),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n<>]*<?[^\s<>@]+@[^\s<>@]+>?$/, "an address, or Name <address>")
      .default("Open MetOcean <metocean@localhost>"),
    IMAP_URL: mailboxUrl.optional(),
    MAILBOX_SENDERS: senderList.prefault("none"),
    MAILBOX_PER_DAY: whole(1, 10_000).default(50),
    MAILBOX_MAX_KB: whole(10, 20_000).default(500),
    PUBLIC_URL: z
      .string()
      .regex(/^https?:\/\/[^\s?#]+$/, "https://host, without query and fragment")
      .refine(URL.canParse, "https://host, without query and fragment")
      .transform((url) => url.replace(/\/+$/, ""))
      .optional(),
    ALERT_NETWORKS: networkList.prefault("none"),
    OFFLINE_PAGES: oneOf(["on", "off"]).default("on"),
    LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
    TRUSTED_PROXIES: whole(0, 10).default(0),
    MAX_CONNECTIONS: whole(1, 1_000_000).default(4096),
    MAX_CONNECTIONS_PER_ADDRESS: z
      .union([z.literal("off"), whole(1, 1_000_000)], `"off" or a whole number from 1 to 1000000`)
      .optional(),
    ANSWER_TIME: duration.refine((seconds) => seconds <= 100, "at most 100 seconds").default(10),
    METRICS_ACCESS: oneOf(["local", "public"]).default("local"),
    METRICS_PORT: z.union([z.literal("off"), port], `"off" or a whole number from 0 to 65535`).optional(),
    PROCESSES: z
      .string()
      .refine(
        (text) => text === "auto" || (/^[1-9]\d?$/.test(text) && Number(text) <= MAX_PROCESSES),
        `"auto" or a whole number from 1 to ${MAX_PROCESSES}`,
      )
      .default("1"),
    MEMORY_MB: whole(MIN_MEMORY_MB, 1_000_000).optional(),
    DEMO: oneOf(["auto", "always", "never"]).default("auto"),
    DEMO_SEED: whole(0, 999_999_999).default(1),
    ...sourceSettings,
    ROLE: oneOf(["all", "web", "worker", "ingest"]).default("all"),
    DRAIN_WAIT: duration.refine((seconds) => seconds <= 10, "at most 10 seconds").optional(),
    TASKS_AT_ONCE: whole(1, 64).default(2),
    TASK_TIME: duration.default(2 * 3600),
    TASKS_PER_OWNER: whole(1, 100_000).default(200),
    TASKS_PENDING: whole(1, 1_000_000).default(10_000),
    RETENTION_RESULT: duration.default(7 * 86_400),
    RETENTION_ROW: duration.default(30 * 86_400),
    RETENTION_STORM_TEXTS: duration.default(90 * 86_400),
    RETENTION_STORM_HISTORY: duration.default(400 * 86_400),
    FEEDS: z
      .string()
      .regex(
        /^[a-z0-9-]+(, ?[a-z0-9-]+)*$/,
        '"none", "all", "lite", "standard", "full", "models-lite", "models", or names such as "gfs,jtwc"',
      )
      .default("none"),
    FEED_MIRROR: z
      .string()
      .regex(/^https?:\/\/[^\s?#]+$/, "http://host:port, without query and fragment")
      .refine(URL.canParse, "http://host:port, without query and fragment")
      .transform((url) => url.replace(/\/+$/, ""))
      .optional(),
    FEED_CONTACT: z
      .string()
      .regex(/^[\x21-\x7e]{3,200}$/, "an e-mail address or a URL, without spaces")
      .optional(),
    FEED_BYTES_A_DAY: byteCount.optional(),
    FEED_DISK_MB: whole(100, 99_999_999).optional(),
    KEEP_CYCLES: whole(1, 100).optional(),
    KEEP_FORECAST_ARCHIVE: retention.optional(),
    KEEP_HINDCAST_3M: retention.optional(),
    KEEP_HINDCAST_3Y: retention.optional(),
    STORED_MB_PER_OWNER: whole(1, 99_999_999).default(4096),
    STORED_MB: whole(1, 99_999_999).default(32_768),
    MIN_FREE_MB: whole(0, 99_999_999).default(512),
    TIDES_NONCOMMERCIAL: oneOf(["off", "on"]).default("off"),
    STATUS_ACCESS: oneOf(["key", "public"]).default("key"),
    NODE_ENV: z
      .enum(["production", "development", "test"], "production, development or test")
      .default("production"),
  })
  .refine((read) => !read.BOOTSTRAP_API_KEY || read.BOOTSTRAP_API_KEY !== read.BOOTSTRAP_API_KEY_2, {
    path: ["BOOTSTRAP_API_KEY_2"],
    error: "another key than BOOTSTRAP_API_KEY, because it has another owner",
    // The check also runs when other variables are wrong, so that all problems are named at once.
    when: () => true,
  })
  .refine((read) => read.ROLE === undefined || read.ROLE === "all" || read.DATABASE_URL !== undefined, {
    path: ["ROLE"],
    error: "all, unless DATABASE_URL names a PostgreSQL that web, worker and ingest share",
    when: () => true,
  })
  .refine((read) => read.KEY_REQUESTS !== "mail" || read.SMTP_URL !== undefined, {
    path: ["KEY_REQUESTS"],
    error: "off, unless SMTP_URL names a mail server",
    when: () => true,
  })
  .refine((read) => read.IMAP_URL === undefined || read.SMTP_URL !== undefined, {
    path: ["IMAP_URL"],
    error: "unset, unless SMTP_URL names a mail server that sends the answers",
    when: () => true,
  })
  .superRefine((read, context) => {
    try {
      const { processes } = processShareOf(read);
      if (processes > MAX_EMBEDDED_PROCESSES && read.DATABASE_URL === undefined) {
        const message = `at most ${MAX_EMBEDDED_PROCESSES} with the embedded database`;
        context.addIssue({ code: "custom", path: ["PROCESSES"], message });
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue({ code: "custom", path: ["MEMORY_MB"], message: error.message });
    }
  })
  .refine((read) => !(read.RETENTION_ROW < read.RETENTION_RESULT), {
    path: ["RETENTION_ROW"],
    error: "not shorter than RETENTION_RESULT",
    when: () => true,
  });

/**
 * Settings of earlier versions, each with what replaced it. An installation that still sets one starts, and the log
 * says so.
 */
export const retiredSettings = {
  CHUNK_CACHE_MB: "MEMORY_MB decides how much memory decoded chunks of the archive take",
  WHEN_FULL:
    "beyond STORED_MB and STORED_MB_PER_OWNER new tasks are refused, and RETENTION_RESULT decides how long results are stored",
} as const;

/** Parses the URL of a blob place; undefined where the text is not such a URL. */
export const placeOf = (url: string): BlobPlace | undefined => parsedPlace(url, process.env);

/** Value of an environment variable that a file in DATA_DIR/sources names, for a secret. */
export const secretOf = (name: string): string | undefined => process.env[name] || undefined;

export const settingNames = Object.keys(schema.shape);

/** The part of the environment that third-party programs need. The rest may contain secrets. */
export function systemEnvironment(): Record<string, string | undefined> {
  const { PATH, SystemRoot, TEMP, TMP } = process.env;
  return { PATH, SystemRoot, TEMP, TMP };
}

/** Sets the variables by which libraries choose their build and disable telemetry. Call it before they are loaded. */
export function settleLibraries(env: Pick<Env, "development">): void {
  const NODE_ENV = env.development ? "development" : "production";
  Object.assign(process.env, { NODE_ENV, NEXT_TELEMETRY_DISABLED: "1" });
}
