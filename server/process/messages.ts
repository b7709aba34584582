/** What a process that answers requests tells the one that supervises it. */
export type FromMember =
  | { type: "listening"; port: number; key?: string }
  /** Asks for the metrics of all. */
  | { type: "gather"; id: number }
  | { type: "metrics"; id: number; text: string };

/** What the supervisor tells a process. */
export type FromSupervisor =
  | { type: "stop" }
  /** Asks for its own metrics. */
  | { type: "measure"; id: number }
  | { type: "gathered"; id: number; text: string };

/** Expositions of several processes as one: what is said of a metric once, then its lines of all. */
export function joinExpositions(texts: readonly string[]): string {
  const heads = new Map<string, string[]>();
  const samples = new Map<string, string[]>();
  for (const text of texts) {
    let name = "";
    for (const line of text.split("\n")) {
      if (line.startsWith("# HELP ")) {
        name = line.split(" ")[2]!;
        if (!samples.has(name)) {
          samples.set(name, []);
          heads.set(name, []);
        }
      }
      if (line === "" || name === "") continue;
      const lines = line.startsWith("#") ? heads.get(name)! : samples.get(name)!;
      // HELP and TYPE are the same in each.
      if (!line.startsWith("#") || !lines.includes(line)) lines.push(line);
    }
  }
  return [...heads].map(([name, head]) => `${[...head, ...samples.get(name)!].join("\n")}\n`).join("\n");
}
