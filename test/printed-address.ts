import type { ChildProcess } from "node:child_process";

/** Matches the origin that our own server prints. */
export const OUR_ADDRESS = /Open MetOcean +(http:\/\/[^/\s]+)/;

/**
 * Waits for the address that a server prints. The output is read to its end, so that the server never blocks on it.
 *
 * @param name Name of the server, for the error where it ends instead.
 * @param address Pattern whose first group is the address.
 */
export function printedAddress(child: ChildProcess, name: string, address = OUR_ADDRESS): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = address.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout!.on("data", read);
    child.stderr!.on("data", read);
    child.once("exit", () => reject(new Error(`${name} ended:\n${output}`)));
  });
}
