import { expect, it } from 'vitest'
import {
  hostsOf,
  problemOfAddress,
  problemOfReplica,
  readAddress,
  withLogin,
  withSetting,
} from './address.ts'
import { isEncryptedDatabase } from './encrypted.ts'

const SEVERAL = 'postgres://me:pass@one:5432,two,[::1]:5434/book?target_session_attrs=read-write'

it('an address may name several hosts, each with a port', () => {
  const { hosts, database, writable } = readAddress(SEVERAL)
  expect(hosts).toEqual([
    { name: 'one', port: 5432, url: 'postgres://me:pass@one:5432/book?target_session_attrs=read-write' },
    { name: 'two', port: 5432, url: 'postgres://me:pass@two/book?target_session_attrs=read-write' },
    { name: '::1', port: 5434, url: 'postgres://me:pass@[::1]:5434/book?target_session_attrs=read-write' },
  ])
  expect([database, writable]).toEqual(['book', true])
})

it('an address with one host stays as it is', () => {
  const url = 'postgresql://me@localhost/book'
  expect(readAddress(url)).toEqual({
    hosts: [{ name: 'localhost', port: 5432, url }],
    database: 'book',
    writable: false,
  })
})

it.each([
  ['postgres://me@one,two/book', null],
  ['postgres://me@one,two/book?target_session_attrs=primary', null],
  ['postgres://me@%2Frun%2Fpostgresql/book', null],
  ['mysql://me@one/book', 'is no address of the form'],
  ['postgres://me@one:port,two/book', 'is no address of the form'],
  ['postgres://me@one,two:99999/book', 'is no address of the form'],
  ['postgres://me@one,,two/book', 'has an empty place in its list of hosts'],
  ['postgres://me@one,two/book?target_session_attrs=any', 'another value than read-write or primary'],
  ['postgres://me@one,two/book?target_session_attrs=', 'another value than read-write or primary'],
  ['postgres:///book?host=one,two&port=5432,5433', 'lists hosts as a parameter'],
  ['postgres://me@one,two/book?host=three', 'names hosts after the @ and as a parameter'],
])('the address %s: %s', (address, problem) => {
  if (problem === null) expect(problemOfAddress(address)).toBeNull()
  else expect(problemOfAddress(address)).toContain(problem)
})

it.each([
  ['postgres://me@standby:5433/book', null],
  ['postgres://me@one,two/book', 'names several hosts'],
  ['postgres://me@one/book?target_session_attrs=read-write', 'says target_session_attrs'],
  ['mysql://me@one/book', 'is no address of the form'],
])('the address of a replica %s: %s', (address, problem) => {
  if (problem === null) expect(problemOfReplica(address)).toBeNull()
  else expect(problemOfReplica(address)).toContain(problem)
})

it('what is wrong with an address is said without its password', () => {
  expect(() => readAddress('postgres://me:hunter2@one:port,two/book')).toThrow(/^(?!.*hunter2)/)
})

it('programs sign in to the same hosts', () => {
  expect(withLogin(SEVERAL, 'book_api', 'p@ss,word')).toBe(
    'postgres://book_api:p%40ss%2Cword@one:5432,two,[::1]:5434/book?target_session_attrs=read-write',
  )
  expect(hostsOf(SEVERAL)).toBe('one:5432, two, [::1]:5434')
})

it('sessions begin with a setting, beside those that the address has', () => {
  const several = withSetting(SEVERAL, 'aval.gateway_term', '3:one')
  expect(readAddress(several).hosts.map(({ url }) => new URL(url).searchParams.get('options'))).toEqual(
    Array(3).fill('-c aval.gateway_term=3:one'),
  )
  expect(readAddress(several)).toMatchObject({ database: 'book', writable: true })
  const own = withSetting('postgres://me@one/book?options=-c%20work_mem%3D4MB', 'a.b', 'c')
  expect(new URL(own).searchParams.get('options')).toBe('-c work_mem=4MB -c a.b=c')
})

it('is encrypted when each of its hosts is', () => {
  expect(isEncryptedDatabase('postgres://me@localhost,two/book')).toBe(false)
  expect(isEncryptedDatabase('postgres://me@localhost,127.0.0.2/book')).toBe(true)
  expect(isEncryptedDatabase('postgres://me@one,two/book?sslmode=verify-full')).toBe(true)
})
