import type { ClientRequest, IncomingMessage } from "node:http";

/**
 * Sends a request and waits for its answer. A connection may close with neither an answer nor an error, as after status 101,
 * which fails too.
 */
export function answerOf(request: ClientRequest, body?: Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.once("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(new Error("it switched to another protocol, which was not requested"));
    });
    request.once("close", () => reject(new Error("it ended the connection without an answer")));
    // The listener stays because a connection may fail again after its answer, which its body reports.
    request.on("error", reject);
    request.end(body);
  });
}
