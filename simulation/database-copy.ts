/** Copies of a database to the last row, in the same cluster and with the same roles. */
import { setTimeout as pause } from 'node:timers/promises'
import { sqlState } from '@aval/db'
import pg from 'pg'

const IN_USE = '55006'
const MOST_TRIES = 1_000
const WAIT_MS = 10

export const nameOf = (url: string): string => new URL(url).pathname.slice(1)

/** The same role's address of another database. */
export function onDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** A connection that was closed, or a vacuum, ends a moment later; a database in use cannot be copied. */
export async function copyDatabase(ownerUrl: string, name: string): Promise<void> {
  await asAdmin(ownerUrl, `CREATE DATABASE ${name} TEMPLATE ${nameOf(ownerUrl)} STRATEGY file_copy`)
}

export async function dropCopy(ownerUrl: string, name: string): Promise<void> {
  await asAdmin(ownerUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

async function asAdmin(ownerUrl: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: onDatabase(ownerUrl, 'postgres') })
  await admin.connect()
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        await admin.query(statement)
        return
      } catch (error) {
        if (sqlState(error) !== IN_USE || tries === MOST_TRIES) throw error
        await pause(WAIT_MS)
      }
    }
  } finally {
    await admin.end()
  }
}
