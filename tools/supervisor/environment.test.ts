import { expect, test } from 'vitest'
import { parseStartConfig } from '../core/config.ts'
import { serverEnvironment } from './environment.ts'

const PRIMARY = 'postgres://owner:secret@one,two/book'
const REPLICA = 'postgres://owner:secret@three:5433/book?sslmode=verify-full'
const opened = { apiUrl: 'postgres://book_api_login:p%40ss@one,two/book', workerUrl: 'postgres://w@one/book' }

function replicaOf(role: 'api' | 'worker', given: Record<string, string>): string | undefined {
  const config = parseStartConfig({ DATABASE_URL: PRIMARY, ...given })
  const [secrets, database, layout] = [{}, opened, { web: null }] as never[]
  return serverEnvironment(role, config, secrets as never, database as never, layout as never)[
    'DATABASE_REPLICA_URL'
  ]
}

test('the API signs in to the replica as to the primary, with its own rights; the worker reads none', () => {
  const given = { DATABASE_REPLICA_URL: REPLICA }
  expect(replicaOf('api', given)).toBe('postgres://book_api_login:p%40ss@three:5433/book?sslmode=verify-full')
  expect(replicaOf('worker', given)).toBeUndefined()
  expect(replicaOf('api', {})).toBeUndefined()
})
