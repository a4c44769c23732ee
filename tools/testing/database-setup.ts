/** Gives the `database` tests one PostgreSQL: the server of DATABASE_URL, else a throw-away embedded one. */
import type { TestProject } from 'vitest/node'
import { startEphemeral } from '../../db/src/ephemeral.ts'
import { givenDatabaseUrl } from '../core/config.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a role that may create databases and roles. */
    ownerUrl: string
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = givenDatabaseUrl()
  if (given !== undefined) {
    project.provide('ownerUrl', given)
    return undefined
  }
  const database = await startEphemeral({ flags: ['max_connections=200'] })
  project.provide('ownerUrl', database.url)
  return () => database.stop()
}
