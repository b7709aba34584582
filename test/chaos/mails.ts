import type { SmtpStub } from "#test/smtp-stub.ts";
import type { Acknowledged } from "./clients.ts";
import { untilNone } from "./until-none.ts";

/** Longest wait, seconds. An email whose sender was killed is sent 15 s later. */
const MAX_WAIT_S = 90;

/** Waits for the last emails and reports tasks with none or with more than one. */
export async function mailComplaints(
  { emails }: Pick<SmtpStub, "emails">,
  acknowledged: readonly Pick<Acknowledged, "id">[],
): Promise<string[]> {
  const mailsByTask = () => {
    const mails = new Map<string, Set<string>>();
    for (const { raw } of emails) {
      // Quoted-printable breaks long lines with a = at their ends.
      const task = /^Task: (\S+)/m.exec(raw.replaceAll("=\r\n", ""))?.[1] ?? "";
      mails.set(task, (mails.get(task) ?? new Set()).add(messageId(raw)));
    }
    return mails;
  };
  await untilNone(async () => {
    const mails = mailsByTask();
    return acknowledged.filter(({ id }) => !mails.has(id)).length;
  }, MAX_WAIT_S);
  const mails = mailsByTask();
  return acknowledged.flatMap(({ id }) => {
    const count = mails.get(id)?.size ?? 0;
    return count === 1 ? [] : [`${id} was reported in ${count} mails`];
  });
}

export function messageId(raw: string): string {
  return /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? "";
}
