import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { realClock } from "#server/platform/clock.ts";
import { processSpace } from "#server/platform/process-identity.ts";
import type { DiskEvent, NameChange } from "./disk-log.ts";

type Random = () => number;

/** Time for which the machine was off, seconds. */
const OFF_S = 300;

/**
 * Writes a possible state of the disk after a loss of power: everything that was synced and, of the rest, at random
 * nothing, a part or all. This is more than ext4 and XFS lose: names of different folders may persist in any order, and
 * bytes that were not synced may be absent, zeros, or cut.
 *
 * @param cut Number of events before the power failed.
 * @param target An empty folder.
 * @returns What the code had promised by then: values by label, in order.
 */
export function writeStateAfter(
  events: readonly DiskEvent[],
  cut: number,
  random: Random,
  target: string,
): Map<string, unknown[]> {
  const happened = events.slice(0, cut);
  const folders = new Map<number, Map<string, { node: number; isFolder: boolean }>>();
  const namesOf = (node: number) => {
    const names = folders.get(node) ?? new Map();
    folders.set(node, names);
    return names;
  };
  for (const index of survivingNames(happened, random)) {
    const { changes } = happened[index] as { changes: NameChange[] };
    for (const { folder, name, node, isFolder = false } of changes) {
      if (node === undefined) namesOf(folder).delete(name);
      else namesOf(folder).set(name, { node, isFolder });
    }
  }
  const contents = new Map<number, Buffer>();
  const switchedOn = realClock.now() - OFF_S;
  const write = (node: number, at: string) => {
    for (const [name, child] of namesOf(node)) {
      const place = path.join(at, name);
      if (child.isFolder) {
        mkdirSync(place);
        write(child.node, place);
        continue;
      }
      if (!contents.has(child.node)) contents.set(child.node, survivingBytes(happened, child.node, random));
      writeFileSync(
        place,
        name.endsWith(".lock") ? ofAnotherBoot(contents.get(child.node)!) : contents.get(child.node)!,
      );
      utimesSync(place, switchedOn, switchedOn);
    }
  };
  write(0, target);
  return marksOf(happened);
}

/** Changes the boot that a lock names, because this process would otherwise still be in it. */
function ofAnotherBoot(lock: Buffer): Buffer {
  return Buffer.from(lock.toString().replace(processSpace(), "another boot"));
}

function marksOf(events: readonly DiskEvent[]): Map<string, unknown[]> {
  const marks = new Map<string, unknown[]>();
  for (const event of events)
    if (event.event === "mark") marks.set(event.label, [...(marks.get(event.label) ?? []), event.value]);
  return marks;
}

/**
 * Indices of the surviving changes of names, ascending: for each folder its first changes, at least those that were
 * synced.
 */
function survivingNames(events: readonly DiskEvent[], random: Random): number[] {
  // For each folder, this is the index up to which its changes certainly survive.
  const until = new Map<number, number>();
  const extend = (folder: number, to: number) => until.set(folder, Math.max(until.get(folder) ?? 0, to));
  for (const event of events) if (event.event === "sync") extend(event.node, event.upTo);
  const choice = random();
  if (choice < 0.15) for (const folder of foldersOf(events)) extend(folder, events.length);
  else if (choice < 0.35) {
    // A journal is written in order, so a common prefix survives too.
    const prefix = Math.floor(random() * (events.length + 1));
    for (const folder of foldersOf(events)) extend(folder, prefix);
  } else if (choice < 0.6) {
    for (const folder of foldersOf(events)) extend(folder, Math.floor(random() * (events.length + 1)));
  }
  const surviving: number[] = [];
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index]!;
    if (event.event !== "names") continue;
    const touched = event.changes.map(({ folder }) => folder);
    if (!touched.some((folder) => index < (until.get(folder) ?? 0))) continue;
    // A change of two folders survives in both, together with everything before it in either.
    for (const folder of touched) extend(folder, index);
    surviving.unshift(index);
  }
  return surviving;
}

function foldersOf(events: readonly DiskEvent[]): Set<number> {
  return new Set(
    events.flatMap((event) => (event.event === "names" ? event.changes.map(({ folder }) => folder) : [])),
  );
}

/** The surviving bytes of a file: those that were synced, and a random part of later ones. */
function survivingBytes(events: readonly DiskEvent[], node: number, random: Random): Buffer {
  let synced = 0;
  for (const event of events)
    if (event.event === "sync" && event.node === node) synced = Math.max(synced, event.upTo);
  const outcome = ["lost", "zeros", "torn", "written"][Math.floor(random() * 4)]!;
  let bytes = Buffer.alloc(0);
  for (const [index, event] of events.entries()) {
    if (event.event !== "write" || event.node !== node) continue;
    let written = event.bytes;
    if (index >= synced) {
      if (outcome === "lost") break;
      if (outcome === "zeros") written = Buffer.alloc(written.length);
      if (outcome === "torn") written = written.subarray(0, Math.floor(random() * written.length));
    }
    const end = Math.max(bytes.length, event.offset + written.length);
    bytes = Buffer.concat([bytes, Buffer.alloc(end - bytes.length)]);
    written.copy(bytes, event.offset);
    if (index >= synced && outcome === "torn") break;
  }
  return bytes;
}
