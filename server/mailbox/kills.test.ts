import { expect, inject, it } from "vitest";
import { temporaryFolder } from "#test/archive.ts";
import { playMailbox } from "#test/chaos/mailbox.ts";
import { hasImapServer } from "#test/imap-server.ts";
import { databasesOf } from "#test/postgres.ts";

it.skipIf(!hasImapServer())(
  "answers each message of all kinds once although the service is killed (needs Dovecot)",
  async () => {
    const databases = databasesOf(inject("postgres"));
    const databaseUrl = await databases.createDatabase("migrated");
    const run = await playMailbox({ folder: temporaryFolder(), databaseUrl }, { messages: 24, kills: 1 });
    await databases.dropDatabases();
    expect(run.complaints).toEqual([]);
    expect(run.answers).toBeGreaterThan(10);
  },
  600_000,
);
