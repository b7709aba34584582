import { createServer, type Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";

/** How long a client may sit in an open transaction, in which nobody else can query; milliseconds. */
const TRANSACTION_IDLE_MS = 10_000;

/**
 * Lets other processes use an embedded database, through PostgreSQL's wire protocol on a unix socket.
 *
 * PGlite is a single session. So a client gets a turn: from the first message of a query to its end, or of a
 * transaction to its end, nobody else runs anything, neither another client nor this process. (Queueing single
 * messages, as ready-made bridges do, lets this process write inside a client's transaction, and lose its writes to
 * the client's rollback.)
 *
 * @param socketPath Must not exist; only the folder's permissions protect it.
 */
export async function listenForClients(db: PGlite, socketPath: string): Promise<{ close(): Promise<void> }> {
  const clients = new Set<Client>();
  const server = createServer((socket) => {
    const client = new Client(db, socket);
    clients.add(client);
    socket.on("close", () => clients.delete(client));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  // The process may end while a client idles.
  server.unref();
  return {
    async close() {
      const ended = [...clients].map((client) => client.end());
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(ended);
    },
  };
}

class Client {
  readonly #db: PGlite;
  readonly #socket: Socket;
  #started = false;
  #received: Buffer = Buffer.alloc(0);
  /** Messages of the query being received. */
  #query: Buffer[] = [];
  /** Ends this client's turn; present while it has one. */
  #endTurn: (() => void) | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Queries run one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(db: PGlite, socket: Socket) {
    this.#db = db;
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    // An error is followed by close, where everything is given back.
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#work = this.#work.then(() => this.#giveBack());
    });
  }

  async end(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#socket.once("close", () => resolve()));
    if (!this.#socket.closed) {
      this.#socket.destroy();
      await closed;
    }
    await this.#work;
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (let message = this.#nextMessage(); message; message = this.#nextMessage()) {
      if (!this.#started) this.#start(message);
      else if (message[0] === TERMINATE) this.#socket.end();
      else {
        this.#query.push(message);
        if (ENDS_OF_QUERY.has(message[0]!)) {
          this.#schedule(Buffer.concat(this.#query.splice(0)), message[0] === FLUSH);
        }
      }
    }
  }

  /** A whole message: a type, from the second message on, a length that counts itself, and a body. */
  #nextMessage(): Buffer | undefined {
    const typeLength = this.#started ? 1 : 0;
    if (this.#received.length < typeLength + 4) return undefined;
    const length = typeLength + this.#received.readInt32BE(typeLength);
    if (this.#received.length < length) return undefined;
    const message = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return message;
  }

  #start(message: Buffer): void {
    const code = message.readInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_REQUEST) this.#socket.write("N");
    else if (code === CANCEL_REQUEST) this.#socket.end();
    else {
      this.#started = true;
      this.#schedule(message, false);
    }
  }

  /** @param goesOn More messages of the same query follow: the turn is not over. */
  #schedule(query: Buffer, goesOn: boolean): void {
    this.#work = this.#work
      .then(() => this.#run(query, goesOn))
      .catch((error: Error) => void this.#socket.destroy(error));
  }

  async #run(query: Buffer, goesOn: boolean): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#socket.destroyed) return;
    if (!this.#endTurn) await this.#takeTurn();
    await this.#db.execProtocolRawStream(query, {
      // The bytes are only lent.
      onRawData: (bytes) => this.#socket.write(Buffer.from(bytes)),
    });
    if (goesOn || this.#db.isInTransaction()) {
      this.#idle = setTimeout(() => this.#socket.destroy(), TRANSACTION_IDLE_MS);
    } else this.#release();
  }

  #takeTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () =>
        new Promise<void>((release) => {
          this.#endTurn = release;
          resolve();
        });
      this.#db._runExclusiveTransaction(() => this.#db.runExclusive(turn)).catch(reject);
    });
  }

  #release(): void {
    this.#endTurn?.();
    this.#endTurn = undefined;
  }

  async #giveBack(): Promise<void> {
    clearTimeout(this.#idle);
    if (!this.#endTurn) return;
    const text = "ROLLBACK\0";
    const rollback = Buffer.alloc(5 + text.length);
    rollback.write("Q");
    rollback.writeInt32BE(4 + text.length, 1);
    rollback.write(text, 5);
    await this.#db.execProtocolRawStream(rollback, { onRawData: () => {} });
    this.#release();
  }
}

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const TERMINATE = "X".charCodeAt(0);

const FLUSH = "H".charCodeAt(0);

/** Sync ends an extended query, Query is a simple one, Flush asks for what there is so far. */
const ENDS_OF_QUERY = new Set(["S".charCodeAt(0), "Q".charCodeAt(0), FLUSH]);
