/** A database with its roles, and the function that all events of the ledger go through: no features, no clock, no server. */
import { randomUUID } from 'node:crypto'
import { connect, constraintOf, inTransaction, sqlState, type Tx } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import type { Micro } from '@aval/money'
import { sql } from 'kysely'
import { query, queryOne, queryValue } from '../core/query.sql.ts'
import type { PostingKind } from '../ledger/ledger.commands.ts'

/** When its members join and its events happen, unless a test says otherwise. */
export const LEDGER_TIME = new Date('2026-05-03T12:00:00Z')

export const freshKey = () => `test:${randomUUID()}`

interface Movement {
  readonly kind: PostingKind
  readonly amount: Micro
}

interface Journal {
  readonly id: bigint
  /** This event had been posted before; nothing was posted now. */
  readonly replayed: boolean
}

/** Posts any event, as only the functions of events can. @param tx of the owner of the tables */
export async function post(
  tx: Tx,
  event: { key: string; kind: string; memberId: bigint; at: Date; movements: readonly Movement[] },
): Promise<Journal> {
  const { key, kind, memberId, at, movements } = event
  return queryOne<Journal>(tx)`
    SELECT journal AS id, replayed FROM post_event(${key}, ${kind}, ${memberId}, ${at},
      ${movements.map((movement) => movement.kind)}::text[]::posting_kind[],
      ${`{${movements.map(({ amount }) => amount).join()}}`}::bigint[])`
}

export async function createLedgerFixture(adminUrl: string) {
  const database = await createTestDatabase(adminUrl)
  const server = connect(database.serverUrl)
  const owner = connect(database.ownerUrl)
  const gateway = connect(database.gatewayUrl)
  return {
    server,
    owner,
    gateway,
    async openMember(): Promise<bigint> {
      const id = await queryValue<bigint>(server.db)`
        INSERT INTO member (username, email, password_hash, ref_code, terms_accepted_at, joined_at)
        VALUES ('m', 'm@example.com', 'x', '1234567', ${LEDGER_TIME}, ${LEDGER_TIME}) RETURNING id`
      await query(server.db)`SELECT open_member_accounts(${id})`
      return id
    },
    book: (memberId: bigint, movements: Movement[], key = freshKey(), at = LEDGER_TIME): Promise<Journal> =>
      inTransaction(owner.db, (tx) => post(tx, { key, kind: 'test', memberId, at, movements })),
    /** What PostgreSQL answers to a statement, the server's own role asking unless another is named. */
    async refusalOf(statement: string, as = server): Promise<string | null> {
      try {
        await sql.raw(statement).execute(as.db)
        return null
      } catch (error) {
        return constraintOf(error) ?? sqlState(error)
      }
    },
    async close(): Promise<void> {
      await Promise.all([server, owner, gateway].map((connection) => connection.close()))
      await database.drop()
    },
  }
}
