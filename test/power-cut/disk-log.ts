/** A change of a folder's names; `node` is absent where the name is removed. Changes of one entry happen together. */
export interface NameChange {
  folder: number;
  name: string;
  node?: number;
  isFolder?: boolean;
}

/** Events on a disk, in order. Nodes are numbers: 0 is the root. */
export type DiskEvent =
  | { event: "names"; changes: NameChange[] }
  | { event: "write"; node: number; offset: number; bytes: Buffer }
  /** Everything done to the node before the event `upTo` is durable. */
  | { event: "sync"; node: number; upTo: number }
  /** A promise of the code under test at this moment. */
  | { event: "mark"; label: string; value: unknown };

interface FolderNode {
  node: number;
  names: Map<string, DiskNode>;
}

interface FileNode {
  node: number;
  length: number;
}

export type DiskNode = FolderNode | FileNode;

/** The log of changes, and the present tree of names. Paths are relative, separated by slashes. */
export class DiskLog {
  readonly events: DiskEvent[] = [];
  readonly #root: FolderNode = { node: 0, names: new Map() };
  #nodes = 0;

  mark(label: string, value: unknown): void {
    this.events.push({ event: "mark", label, value });
  }

  find(path: string): DiskNode | undefined {
    let found: DiskNode | undefined = this.#root;
    for (const name of path.split("/").filter(Boolean))
      found = found && "names" in found ? found.names.get(name) : undefined;
    return found;
  }

  folder(path: string): void {
    const { parent, name } = this.#place(path);
    if (parent.names.has(name)) return;
    const made: FolderNode = { node: ++this.#nodes, names: new Map() };
    parent.names.set(name, made);
    this.#names({ folder: parent.node, name, node: made.node, isFolder: true });
  }

  /** The file of a name, created if absent. */
  file(path: string): FileNode {
    const { parent, name } = this.#place(path);
    const known = parent.names.get(name);
    if (known) return known as FileNode;
    const made: FileNode = { node: ++this.#nodes, length: 0 };
    parent.names.set(name, made);
    this.#names({ folder: parent.node, name, node: made.node });
    return made;
  }

  link(from: string, to: string): void {
    const { parent, name } = this.#place(to);
    const node = this.find(from)!;
    parent.names.set(name, node);
    this.#names({ folder: parent.node, name, node: node.node, isFolder: "names" in node });
  }

  rename(from: string, to: string): void {
    const [source, target] = [this.#place(from), this.#place(to)];
    const node = source.parent.names.get(source.name)!;
    source.parent.names.delete(source.name);
    target.parent.names.set(target.name, node);
    this.#names(
      { folder: source.parent.node, name: source.name },
      { folder: target.parent.node, name: target.name, node: node.node, isFolder: "names" in node },
    );
  }

  /** Removes a name; for a folder, first the names in it. */
  remove(path: string): void {
    const node = this.find(path);
    if (!node) return;
    if ("names" in node) for (const name of [...node.names.keys()]) this.remove(`${path}/${name}`);
    const { parent, name } = this.#place(path);
    parent.names.delete(name);
    this.#names({ folder: parent.node, name });
  }

  write(file: FileNode, offset: number, bytes: Uint8Array): void {
    file.length = Math.max(file.length, offset + bytes.length);
    this.events.push({ event: "write", node: file.node, offset, bytes: Buffer.from(bytes) });
  }

  /** @param upTo Length of the log when the sync began. */
  sync({ node }: DiskNode, upTo: number): void {
    this.events.push({ event: "sync", node, upTo });
  }

  #names(...changes: NameChange[]): void {
    this.events.push({ event: "names", changes });
  }

  #place(path: string): { parent: FolderNode; name: string } {
    const parts = path.split("/").filter(Boolean);
    const name = parts.pop();
    const parent = this.find(parts.join("/"));
    if (name === undefined || !parent || !("names" in parent)) throw new Error(`${path} has no folder`);
    return { parent, name };
  }
}
