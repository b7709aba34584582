import { parseArgs } from "node:util";
import type { Provider } from "@open-metocean/storms/bulletin";
import { seasonWithoutTable } from "#lib/storm-answers/provenance.ts";
import type { DerivedStorms } from "./derive.ts";
import { directoryFeed, EmptyFeedError, refresh, UnreadableFeedError } from "./refresh.ts";
import { StormStore, type StormTables } from "./store.ts";
import { DerivationFailedError, stormThread } from "./storm-thread.ts";

export const stormsUsage = `Usage: npm run metocean -- storms refresh --provider jtwc|jma --from <directory>
       npm run metocean -- storms fetch [--help]

storms refresh reads the texts of a storm feed that were mirrored into a directory, stores them, and replaces the storms of the
provider in GET /storms. Texts that cannot be read are reported and left out. A storm without a new text for 24 h (an invest: 18 h,
or 6 h after its formation alert) has ended if its feed continues; a storm that has ended stays listed for another 24 h.

  jtwc   ATCF decks (b*.dat, a*.dat, *.fst), JTWC warnings (*.tcw, *web.txt), ABPW and ABIO outlooks, formation alerts (also *.tcw),
         TCVitals, NHC's CurrentStorms.json, outlooks ABNT20, ABPZ20 and ACPN50, areas as KML (unpack the .kmz)
  jma    targetTc.json, TC*/specifications.json and TC*/forecast.json, telegrams VPTW40 to VPTW65 (XML), WTPQ advisories

Exit status: 0; 1 if nothing was published or an entry was invalid; 2 for a wrong command; 3 if storms were published, but
some texts were truncated: their storms stay as they were until the whole text is read.

The age of texts is judged by the weather clock; METOCEAN_NOW replays the past. A text that is stamped up to 6 h ahead of the
clock is read and reported.
`;

export interface StormsCommandDeps {
  /** Opens the database. */
  open(): Promise<StormTables>;
  out: { write(text: string): unknown };
  err: { write(text: string): unknown };
  /** Weather clock, Unix seconds. */
  now: number;
  signal: AbortSignal;
}

/** Maximum number of problems that are printed: a directory of images would fill the screen. */
const MAX_PROBLEMS = 20;

/** Exit status of a refresh that has published, although texts were incomplete. */
const INCOMPLETE = 3;

/**
 * Runs `storms refresh`.
 *
 * @returns The exit status: 2 for a wrong command, 1 if nothing was published or an entry was invalid, 3 if a text was cut.
 */
export async function stormsCommand(
  args: string[],
  { open, out, err, now, signal }: StormsCommandDeps,
): Promise<number> {
  const command = readCommand(args);
  if (command === "help") {
    out.write(stormsUsage);
    return 0;
  }
  if (typeof command === "string") {
    err.write(`${command}\n\n${stormsUsage}`);
    return 2;
  }
  const feed = directoryFeed(command.provider, command.from, now);
  const thread = stormThread();
  try {
    const store = new StormStore(await open());
    const { texts, reports, storms, problems, failures, cut } = await refresh(feed, {
      store,
      derive: thread.derive,
      now,
      signal,
    });
    printProblems(problems, err);
    if (cut.length > 0) err.write(`${cutTexts(cut)}\n`);
    for (const { id, reason } of failures) err.write(`${id}: its last valid entry stays: ${reason}\n`);
    out.write(
      `${texts} texts, ${reports} reports of ${command.provider}; ${storms.length} storms are published\n`,
    );
    for (const { entry } of storms) {
      const season = seasonWithoutTable(entry);
      if (season) {
        err.write(
          `${entry.id}: its cone has the radii of ${entry.cone!.year}: those of ${season} are to be entered into lib/storms/cone-radii.json\n`,
        );
      }
      const state = entry.is_active ? (entry.is_invest ? "invest" : "active") : "ended";
      out.write(`  ${entry.id}  ${entry.name ?? "unnamed"}  ${state}\n`);
    }
    if (failures.length > 0) return 1;
    return cut.length > 0 ? INCOMPLETE : 0;
  } catch (error) {
    if (error instanceof UnreadableFeedError) printProblems(error.problems, err);
    else if (!(error instanceof EmptyFeedError || error instanceof DerivationFailedError)) throw error;
    err.write(`${error.message}\n`);
    return 1;
  } finally {
    await thread.close();
  }
}

function cutTexts(cut: readonly string[]): string {
  const names = cut.slice(0, MAX_PROBLEMS).join(", ");
  return `${cut.length} of the texts ${cut.length === 1 ? "ends" : "end"} in the middle (${names}): their storms stay as they were`;
}

function printProblems(problems: DerivedStorms["problems"], err: StormsCommandDeps["err"]): void {
  for (const { source, line, reason } of problems.slice(0, MAX_PROBLEMS)) {
    err.write(`${source}${line > 0 ? `:${line}` : ""}: ${reason}\n`);
  }
  if (problems.length > MAX_PROBLEMS) err.write(`and ${problems.length - MAX_PROBLEMS} more\n`);
}

/** Reads the arguments. @returns An error message if the command is wrong. */
function readCommand(args: string[]): { provider: Provider; from: string } | "help" | (string & {}) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        provider: { type: "string" },
        from: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return "help";
    if (positionals.length !== 1 || positionals[0] !== "refresh") return "Which command of storms?";
    const { provider, from } = values;
    if (provider !== "jtwc" && provider !== "jma") return "--provider is jtwc or jma";
    if (!from) return "--from names the directory with the texts";
    return { provider, from };
  } catch (error) {
    return (error as Error).message;
  }
}
