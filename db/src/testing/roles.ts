/** For tests of what each role of the database may do: a database of their own, with a session of each. */
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../testing.ts'

const ADDRESSES = {
  owner: 'ownerUrl',
  api: 'apiUrl',
  worker: 'workerUrl',
  gateway: 'gatewayUrl',
  signer: 'signerUrl',
  approvals: 'approvalsUrl',
  auditor: 'auditorUrl',
  /** What API and worker may do together. */
  server: 'serverUrl',
} as const satisfies Record<string, keyof TestDatabase>
export type Role = keyof typeof ADDRESSES

export async function openRoles(adminUrl: string) {
  const database = await createTestDatabase(adminUrl)
  const clientOf = async (role: Role) => {
    const client = new pg.Client({ connectionString: database[ADDRESSES[role]] })
    await client.connect()
    return [role, client] as const
  }
  const opened = await Promise.all((Object.keys(ADDRESSES) as Role[]).map(clientOf))
  const roles = Object.fromEntries(opened) as Readonly<Record<Role, pg.Client>>
  return {
    roles,
    /** The first value of the first row. */
    async value(role: Role, query: string, values: unknown[] = []) {
      const { rows } = await roles[role].query({ text: query, values, rowMode: 'array' })
      return rows[0]?.[0]
    },
    async close(): Promise<void> {
      await Promise.all(opened.map(([, client]) => client.end()))
      await database.drop()
    },
  }
}

/** The constraint that refuses, or the SQLSTATE where there is none; null: it was done. */
export const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: pg.DatabaseError) => error.constraint ?? error.code,
  )
