// `npm run lab -- NAME [options]` runs the long checks of the service. `npm test` contains most of them in a short
// form. Status 1 means that a check failed, status 2 that the options were invalid.

const laboratories: Readonly<Record<string, readonly [about: string, run: () => Promise<unknown>]>> = {
  feeds: [
    "a week of all feeds and storms in simulated time, with random faults",
    () => import("./feeds-week/week.ts"),
  ],
  "feed-faults": ["each fault alone on each feed", () => import("./feeds-week/faults.ts")],
  "feed-kills": [
    "kills the process that fetches; counts bytes fetched twice",
    () => import("./chaos/feeds.ts"),
  ],
  mirror: ["the hosts of all feeds on loopback, for FEED_MIRROR", () => import("./feeds-mirror/main.ts")],
  storms: [
    "seasons of decks and bulletins, read while the mirror fails",
    () => import("./storms-replay/replay.ts"),
  ],
  tasks: ["kills servers and workers while tasks run", () => import("./chaos/tasks.ts")],
  alerts: [
    "kills the service while it evaluates watches and delivers alerts",
    () => import("./chaos/alerts.ts"),
  ],
  mailbox: [
    "messages of all kinds to a mailbox, while the service that answers them is killed",
    () => import("./chaos/mailbox-lab.ts"),
  ],
  cluster: ["checks of the whole topology on this machine", () => import("./cluster/main.ts")],
  "power-cut": ["fails the power while the service writes", () => import("./power-cut/cuts.ts")],
  fuzz: ["random requests to the real server; every reply is checked", () => import("./fuzz/fuzz.ts")],
  opengribs: [
    "random requests of the OpenGribs protocol, and kills while it writes",
    () => import("./fuzz/opengribs-lab.ts"),
  ],
  soak: ["mixed load: memory, open files, lag of the event loop", () => import("#bench/soak.ts")],
  deploy: [
    "the steps of deploy/Dockerfile in a clean folder; minutes, and root",
    () => import("./deploy/check.ts"),
  ],
};

const [, run] = laboratories[process.argv[2] ?? ""] ?? [];
if (run) await run();
else {
  for (const [name, [about]] of Object.entries(laboratories)) console.log(`${name.padEnd(12)} ${about}`);
  console.log("\nnpm run lab -- NAME --help");
  process.exitCode = process.argv.length > 2 ? 2 : 0;
}
