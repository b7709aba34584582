import { parseArgs } from "node:util";

export const checkNames = ["kills", "rolling", "upgrade", "outages", "skew", "streams"] as const;
export type CheckName = (typeof checkNames)[number];

export const help = `The whole topology on this machine: PostgreSQL, an S3 store behind a proxy that makes it slow or faulty, a reverse proxy
(haproxy where it is installed), two web and two worker replicas, one that fetches feeds from invented hosts, a mail server
that keeps what it gets. Ctrl-C ends all of it, and leaves nothing behind.

npm run cluster -- [options]
  --port N           of the reverse proxy; default 3000
  --web N --worker N --ingest N   replicas; default 2, 2, 1
  --demo             nothing is fetched: the demo world answers
  --now ISO          weather clock that stands still; default the real time
  --check NAME       ${checkNames.join(", ")}: runs the check, ends with 1 where something is wrong
      --seed N       of what is random; default 1
      --kills N      of kills; default 30
      --seconds N    of skew, and of each outage; default 60
      --rounds N     of rolling: how often everything is restarted; default 1
      --from REV     of upgrade: the version that is running before; default HEAD~1
      --streams N    of streams; default 1000
`;

export class UsageError extends Error {
  override readonly name = "UsageError";
}

type NumberName = "port" | "web" | "worker" | "ingest" | "seed" | "kills" | "seconds" | "rounds" | "streams";

export type Arguments = NonNullable<ReturnType<typeof readArguments>>;

/** @returns undefined where help is asked for. @throws UsageError */
export function readArguments(args: readonly string[]) {
  const values = parse(args);
  if (values.help) return undefined;
  const check = checkNames.find((name) => name === values.check);
  if (values.check !== undefined && !check)
    throw new UsageError(`--check is one of ${checkNames.join(", ")}, not ${values.check}`);
  if (values.now !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(values.now))
    throw new UsageError("--now is an instant as 2026-09-01T07:00:00Z");
  const whole = (name: NumberName, unset: number) => {
    const given = values[name] ?? String(unset);
    if (!/^\d{1,9}$/.test(given)) throw new UsageError(`--${name} is a whole number, not ${given}`);
    return Number(given);
  };
  return {
    check,
    demo: values.demo,
    now: values.now,
    port: whole("port", check ? 0 : 3000),
    web: whole("web", 2),
    worker: whole("worker", 2),
    ingest: whole("ingest", 1),
    seed: whole("seed", 1),
    kills: whole("kills", 30),
    seconds: whole("seconds", 60),
    rounds: whole("rounds", 1),
    from: values.from ?? "HEAD~1",
    streams: whole("streams", 1000),
  };
}

const text = { type: "string" } as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: text,
        web: text,
        worker: text,
        ingest: text,
        demo: { type: "boolean", default: false },
        now: text,
        check: text,
        seed: text,
        kills: text,
        seconds: text,
        rounds: text,
        from: text,
        streams: text,
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
