import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

const whole = {
  DATABASE_URL: 'postgres://someone:secret@localhost/aval',
  APPROVALS_URL: 'https://approve.aval.example',
  APPROVALS_PORT: '3002',
  TRON_NETWORK: 'nile',
}

it('listens on this machine alone, unless it is told otherwise', () => {
  expect(readConfig(whole)).toMatchObject({ ok: true, config: { host: 'localhost', offline: false } })
  expect(
    readConfig({ ...whole, APPROVALS_HOST: '0.0.0.0', PLAIN_HTTP: 'on', SIGNER: 'offline' }),
  ).toMatchObject({
    config: { host: '0.0.0.0', offline: true },
  })
})

it('uses nothing on a public network that anybody can listen to', () => {
  const open = {
    DATABASE_URL: 'postgres://someone:secret@db.example/aval',
    APPROVALS_URL: 'http://a.example',
    APPROVALS_HOST: '10.0.0.7',
  }
  const read = readConfig({ ...whole, ...open })
  expect(read.ok ? [] : read.problems.map((line) => line.split(' ')[0])).toEqual([
    'DATABASE_URL',
    'APPROVALS_URL',
    'APPROVALS_HOST',
  ])
  expect(readConfig({ ...whole, ...open, TRON_NETWORK: 'devnet' }).ok).toBe(true)
})

it('names every broken setting, and repeats none of them', () => {
  const broken = readConfig({
    DATABASE_URL: 'mysql://secret',
    APPROVALS_PORT: '99999',
    TRON_NETWORK: 'secret',
  })
  const problems = broken.ok ? [] : broken.problems
  expect(problems.map((line) => line.split(' ')[0])).toEqual([
    'DATABASE_URL',
    'APPROVALS_URL',
    'APPROVALS_PORT',
    'TRON_NETWORK',
  ])
  expect(problems.join()).not.toContain('secret')
})
