import { createInterface } from "node:readline";
import type { Cluster } from "./cluster.ts";
import { storeStates } from "./store.ts";

/** What can be typed while the cluster runs. */
export const consoleHelp = `Type
  list                       processes and their numbers: kill -9 NUMBER from another terminal does the same as kill
  kill NAME                  kill −9; it is started again a second later, as by a supervisor
  restart NAME               SIGTERM, and a new one
  store ${Object.keys(storeStates).join("|")}
  database restart           disconnects all
  quit                       or Ctrl-C`;

/** Obeys lines of the standard input, until it is told to quit. */
export async function runConsole(cluster: Cluster): Promise<void> {
  const { say } = cluster.options;
  const part = (name: string | undefined) => cluster.parts.find((each) => each.name === name);
  for await (const line of createInterface(process.stdin)) {
    const [command = "", name] = line.trim().split(/\s+/);
    const state = storeStates[name ?? ""];
    if (command === "quit") return;
    if (command === "list") say(listParts(cluster));
    else if (command === "kill" && part(name)?.pid) process.kill(part(name)!.pid!, "SIGKILL");
    else if (command === "restart" && part(name)) {
      await part(name)!.stop();
      part(name)!.start();
      await part(name)!.ready();
      say(`${name} works again`);
    } else if (command === "store" && state) await cluster.setStore(state);
    else if (command === "database" && name === "restart") {
      await cluster.database.stop();
      await cluster.database.start();
      say("The database works again");
    } else if (command !== "") say(consoleHelp);
  }
  // Without a terminal there is nothing to read: only a signal ends it.
  await new Promise(() => {});
}

export function listParts({ parts, database }: Cluster): string {
  const rows = parts.map(({ name, pid, ended }) => {
    const times = ended === 0 ? "" : `, started again ${ended} times`;
    return `  ${name.padEnd(10)} ${pid === undefined ? "is being started" : `process ${pid}`}${times}`;
  });
  return [...rows, `  ${"database".padEnd(10)} process ${database.pid ?? "-"}`].join("\n");
}
