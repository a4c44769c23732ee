/** A database with its three roles, and the ledger's own commands on it: no features, no clock, no server. */
import { randomUUID } from 'node:crypto'
import { type Connection, connect, constraintOf, inTransaction, sqlState } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import { sql } from 'kysely'
import { type Journal, type Movement, post } from '../ledger/ledger.commands.ts'

/** When its members join and its events happen, unless a test says otherwise. */
export const LEDGER_TIME = new Date('2026-05-03T12:00:00Z')

export const freshKey = () => `test:${randomUUID()}`

export interface LedgerFixture {
  readonly server: Connection
  readonly owner: Connection
  readonly gateway: Connection
  openMember(): Promise<bigint>
  book(memberId: bigint, movements: Movement[], key?: string, at?: Date): Promise<Journal>
  /** What PostgreSQL answers to a statement, the server's own role asking unless another is named. */
  refusalOf(statement: string, as?: Connection): Promise<string | null>
  close(): Promise<void>
}

export async function createLedgerFixture(adminUrl: string): Promise<LedgerFixture> {
  const database = await createTestDatabase(adminUrl)
  const server = connect(database.serverUrl)
  const owner = connect(database.ownerUrl)
  const gateway = connect(database.gatewayUrl)
  return {
    server,
    owner,
    gateway,
    async openMember() {
      const { rows } = await sql<{ id: bigint }>`
        INSERT INTO member (username, email, password_hash, ref_code, terms_accepted_at, joined_at)
        VALUES ('m', 'm@example.com', 'x', '1234567', ${LEDGER_TIME}, ${LEDGER_TIME}) RETURNING id`.execute(
        server.db,
      )
      const id = rows[0]?.id ?? 0n
      await sql`SELECT open_member_accounts(${id})`.execute(server.db)
      return id
    },
    book: (memberId, movements, key = freshKey(), at = LEDGER_TIME) =>
      inTransaction(server.db, (tx) => post(tx, { key, kind: 'test', memberId, at, movements })),
    async refusalOf(statement, as = server) {
      try {
        await sql.raw(statement).execute(as.db)
        return null
      } catch (error) {
        return constraintOf(error) ?? sqlState(error)
      }
    },
    async close() {
      await Promise.all([server, owner, gateway].map((connection) => connection.close()))
      await database.drop()
    },
  }
}
