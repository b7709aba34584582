import { SMTPServer } from "smtp-server";

export interface Email {
  recipients: string[];
  /** The bytes as received, latin-1. */
  raw: string;
}

/** A real SMTP server on a free port of this machine. */
export interface SmtpStub {
  url: string;
  emails: Email[];
  close(): Promise<void>;
}

/** @param refuse SMTP code with which every recipient is rejected. Without it all are accepted. */
export async function openSmtpStub(refuse?: number): Promise<SmtpStub> {
  const emails: Email[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo(_address, _session, done) {
      done(refuse === undefined ? null : Object.assign(new Error("no"), { responseCode: refuse }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        emails.push({ recipients, raw: Buffer.concat(parts).toString("latin1") });
        done();
      });
    },
  });
  // A sender that is killed in the middle of an email closes its connection.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
