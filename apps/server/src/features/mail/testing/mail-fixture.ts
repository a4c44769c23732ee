/** A database, a mail server, and a clock that tests set. */
import { randomUUID } from 'node:crypto'
import { inTransaction } from '@aval/db'
import { sql } from 'kysely'
import type { SmtpServer } from '../../../core/mail-settings.ts'
import { createTestServer, type TestServer } from '../../../testing/server.ts'
import { healthRoutes } from '../../health/health.routes.ts'
import { queueMail } from '../mail.commands.ts'
import { mailRoutes } from '../mail.routes.ts'
import type { MessageKey } from '../mail.sql.ts'
import type { MailTemplate } from '../mail.templates.ts'
import { type MailSender, mailSender } from '../sending.commands.ts'
import { smtpTransport, type Transport } from '../transport.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

export const MINUTE = 60_000

const plain = { secure: false, requireTls: false, credentials: null }
/** Nothing listens there. */
export const UNREACHABLE: SmtpServer = { host: '127.0.0.1', port: 1, ...plain }

/** A message with a code. */
export const CODE = {
  template: 'password_reset_code',
  params: { code: '1234567', at: new Date('2026-05-03T15:00:00Z') },
} as const satisfies MailTemplate

/** A message without a code. */
export const NOTICE = {
  template: 'operator_alert',
  params: { subject: 'Reserves', text: 'They match.' },
} as const satisfies MailTemplate

export class MailFixture {
  readonly server: TestServer
  /** The server of this test. */
  mail: MailServer
  /** System time. */
  now = new Date('2026-05-03T15:00:00Z')
  #members = 1000n
  readonly #started: { close(): unknown }[] = []

  constructor(server: TestServer, mail: MailServer) {
    this.server = server
    this.mail = mail
    this.#started.push(mail)
  }

  get db() {
    return this.server.context.db
  }

  /** As if nothing had ever been sent. */
  async reset(): Promise<void> {
    await this.stopServers()
    this.now = new Date('2026-05-03T15:00:00Z')
    this.mail = await this.begin()
    await this.asOwner('DELETE FROM mail_message', 'DELETE FROM graphile_worker._private_jobs')
  }

  pass(ms: number): void {
    this.now = new Date(this.now.getTime() + ms)
  }

  /** Another mail server. */
  async begin(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
    return this.keep(await startMailServer(options))
  }

  /** Closed with this test. */
  keep<Started extends { close(): unknown }>(started: Started): Started {
    this.#started.push(started)
    return started
  }

  /** @param to where messages go; `null`: into the outbox */
  sender(to: Transport | SmtpServer | null = this.mail.server): MailSender {
    const usual = mailSender(this.server.context, async () => 'UTC')
    const transport = to === null ? usual.transport : 'deliver' in to ? to : smtpTransport(to)
    return { ...usual, transport, pause: async () => undefined, now: () => this.now }
  }

  /** Queues a message to a member nobody else writes to. */
  async queue(message: MailTemplate = CODE, to = 'ana@example.com'): Promise<MessageKey> {
    this.#members += 1n
    const memberId = this.#members
    const event = randomUUID()
    await inTransaction(this.db, (tx) =>
      queueMail(tx, { memberId, to, locale: 'es', event, ...message }, this.now),
    )
    const messages = this.db.selectFrom('mail_message').select(['member_id as memberId', 'id'])
    return messages.where('member_id', '=', memberId).executeTakeFirstOrThrow()
  }

  rowOf({ memberId, id }: MessageKey) {
    const messages = this.db.selectFrom('mail_message').selectAll().where('member_id', '=', memberId)
    return messages.where('id', '=', id).executeTakeFirstOrThrow()
  }

  async jobs(): Promise<{ key: string; run_at: Date }[]> {
    const found = sql<{ key: string; run_at: Date }>`SELECT key, run_at FROM graphile_worker.jobs ORDER BY id`
    return (await found.execute(this.db)).rows
  }

  /** The Message-IDs that arrived. */
  arrived(): string[] {
    return this.mail.received.map(({ messageId }) => messageId ?? '')
  }

  async asOwner(...statements: string[]): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(this.server.owner.db)
  }

  /** From here on no message can be marked as sent; the database says why by this SQLSTATE. */
  failTheMark(sqlState: string): Promise<void> {
    return this.asOwner(
      `CREATE FUNCTION fail_the_mark() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'marking failed' USING ERRCODE = '${sqlState}'; END $$`,
      `CREATE TRIGGER fail_the_mark BEFORE UPDATE ON mail_message FOR EACH ROW WHEN (NEW.state = 'sent')
         EXECUTE FUNCTION fail_the_mark()`,
    )
  }

  letItMark(): Promise<void> {
    return this.asOwner('DROP FUNCTION fail_the_mark CASCADE')
  }

  async close(): Promise<void> {
    await this.stopServers()
    await this.server.close()
  }

  private async stopServers(): Promise<void> {
    for (const { close } of this.#started.splice(0)) await close()
  }
}

export async function createMailFixture(adminUrl: string): Promise<MailFixture> {
  const server = await createTestServer(adminUrl, [healthRoutes, mailRoutes])
  return new MailFixture(server, await startMailServer())
}
