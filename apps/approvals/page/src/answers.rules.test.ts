import { describe, expect, it } from 'vitest'
import { readCode, readList, readNumber, readSettings, readState } from './answers.rules.ts'

const row = {
  id: '12',
  member_id: '3',
  username: 'ana',
  name: '',
  amount: '5000000',
  fee: '1000000',
  wallet: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  requested_at: '2026-11-23T10:00:00Z',
  due_at: null,
  soon_at: null,
  risks: ['new_wallet'],
  day_sum: '5000000',
  wallet_changed_at: null,
  needed: 2,
  approvals: [{ operator: '7', name: 'olga' }],
  waiting: [],
}
const list = {
  stopped: false,
  clock_ahead: 0,
  operators: [{ id: '7', username: 'olga', name: 'Olga' }],
  rows: [row],
  decisions: [],
}
const decision = {
  id: '3',
  kind: 'plan',
  statement: { sha256: 'ab', starts_on: '2026-12-01' },
  document: '{}',
  replaces: { version: 1, document: { a: 1 } },
  proposed_by: 'olga',
  proposed_at: '2026-11-23T10:00:00Z',
  needed: 1,
  approvals: [],
  waiting: [],
}

describe('the list', () => {
  it('is read with exact amounts', () => {
    expect(readList(list).rows[0]).toMatchObject({
      id: '12',
      memberId: '3',
      amount: 5_000_000n,
      daySum: 5_000_000n,
    })
    expect(readList({ ...list, rows: [{ ...row, amount: '999999999999999999' }] }).rows[0]?.amount).toBe(
      999_999_999_999_999_999n,
    )
  })

  it.each<[string, object]>([
    ['an amount that is a number', { amount: 5 }],
    ['an amount with a point', { amount: '5.0' }],
    ['an amount below zero', { amount: '-5' }],
    ['an amount in another writing', { amount: '0x10' }],
    ['no fee', { fee: undefined }],
    ['a wallet with a separator', { wallet: 'T|1' }],
    ['no approvals', { approvals: null }],
    ['a count that is text', { needed: '2' }],
    ['an approval of nobody', { approvals: [{ name: 'olga' }] }],
  ])('is none with %s', (_what, change) => {
    expect(() => readList({ ...list, rows: [{ ...row, ...change }] })).toThrow(TypeError)
  })

  it('has decisions, with exactly what is signed', () => {
    const [read] = readList({ ...list, decisions: [decision] }).decisions
    expect(read).toMatchObject({ id: '3', statement: decision.statement, replaces: { version: 1 } })
    const bare = { ...decision, kind: 'run_release', document: null, replaces: null }
    expect(readList({ ...list, decisions: [bare] }).decisions[0]).toMatchObject({ document: null })
  })

  it.each<[string, object]>([
    ['a statement with a number', { statement: { sum: 5 } }],
    ['a statement that is none', { statement: null }],
    ['a kind in other letters', { kind: 'run|release' }],
    ['a document that is no text', { document: {} }],
    ['no approvals', { approvals: null }],
  ])('is none whose decision has %s', (_what, change) => {
    expect(() => readList({ ...list, decisions: [{ ...decision, ...change }] })).toThrow(TypeError)
  })

  it('is none with a number twice: only one of the two could be seen', () => {
    expect(() => readList({ ...list, decisions: [decision, decision] })).toThrow(TypeError)
    expect(() => readList({ ...list, rows: [row, { ...row, amount: '1' }] })).toThrow(TypeError)
  })

  it.each([null, [], 'x', 7, {}])('is not %j', (value) => {
    expect(() => readList(value)).toThrow(TypeError)
  })
})

it('reads what became of an approval, and where nothing is open, no counts', () => {
  const state = {
    state: 'accepted',
    refusal: null,
    expired: false,
    count: 2,
    complete: 2,
    given: null,
    needed: null,
  }
  expect(readState(state)).toMatchObject({ state: 'accepted', complete: 2, given: 0, needed: 0 })
  expect(() => readState({ ...state, state: 'won' })).toThrow(TypeError)
})

it('reads settings, numbers and names, and nothing like them', () => {
  const settings = { url: 'https://a.example', network: 'nile', offline: true, page: 'ab'.repeat(32) }
  expect(readSettings(settings)).toEqual(settings)
  expect(() => readSettings({ ...settings, url: 'javascript:alert(1)' })).toThrow(TypeError)
  expect(() => readSettings({ ...settings, network: 'nile\nx' })).toThrow(TypeError)
  expect(readNumber({ id: '7' })).toBe('7')
  expect(() => readNumber({ id: 7 })).toThrow(TypeError)
  expect(readCode({ code: 'rows_differ' })).toBe('rows_differ')
  expect(() => readCode({ code: '<b>' })).toThrow(TypeError)
})
