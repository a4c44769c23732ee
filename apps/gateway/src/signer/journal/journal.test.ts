import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { IDENTITY, memoryStorage, openMemoryJournal } from '../testing/journals.ts'
import { type Entry, type Head, NOTHING } from './entries.rules.ts'
import { createJournal, type Journal } from './journal.ts'
import { fileStorage } from './storage.ts'

const HOUR = 3_600_000
const signed = (number: number, changes: Partial<Extract<Entry, { kind: 'signed' }>> = {}): Entry => ({
  kind: 'signed',
  at: number,
  txid: number.toString(16).padStart(64, '0'),
  withdrawal: String(number),
  member: '7',
  amount: '100',
  fee: '1',
  wallet: 'Twallet',
  expires: number,
  ...changes,
})
const approved = (changes: Partial<Extract<Entry, { kind: 'approved' }>> = {}): Entry => ({
  kind: 'approved',
  at: 5,
  approval: '1',
  nonce: 'a'.repeat(64),
  root: 'b'.repeat(64),
  count: 1,
  operator: '3',
  key: 'passkey',
  counter: 9,
  sum: '100',
  ...changes,
})

const reopened = async (
  { kept, storage }: Awaited<ReturnType<typeof openMemoryJournal>>,
  end: Head,
  identity = IDENTITY,
) => {
  const journal = createJournal(storage)
  return { journal, fault: await journal.open(end, identity, 0), told: kept.fault }
}

describe('a journal', () => {
  it('remembers what was written when it is opened again', async () => {
    const made = await openMemoryJournal()
    await made.journal.append(approved())
    const end = await made.journal.append(signed(10))
    const { journal, fault } = await reopened(made, end)
    expect(fault).toBeNull()
    expect(journal.memory.accepted('a'.repeat(64))).toMatchObject({ operator: '3', counter: 9 })
    expect(journal.memory.isSigned('a'.padStart(64, '0'))).toBe(true)
    expect(journal.head()).toEqual(end)
  })

  it('begins by itself where the database remembers none', async () => {
    const { storage } = memoryStorage()
    const journal = createJournal(storage)
    expect(journal.fault()).toBe('journal_unread')
    await expect(journal.append(approved())).rejects.toThrow('journal_unread')
    expect(await journal.open(NOTHING, IDENTITY, 0)).toBeNull()
    await journal.append(approved())
  })

  it('may be ahead of the database, which was told too late', async () => {
    const made = await openMemoryJournal()
    const early = await made.journal.append(approved())
    await made.journal.append(signed(10))
    expect((await reopened(made, early)).fault).toBeNull()
  })

  it('writes entries of one moment together and in order', async () => {
    const made = await openMemoryJournal()
    const heads = await Promise.all(
      Array.from({ length: 50 }, (_, place) => made.journal.append(signed(place))),
    )
    expect(heads.map(({ sequence }) => sequence)).toEqual(heads.map((_, place) => place + 3))
    expect((await reopened(made, heads.at(-1) as Head)).fault).toBeNull()
  })
})

const made = await openMemoryJournal()
await made.journal.append(approved())
const early = made.kept.text
await made.journal.append(signed(10))
const end = await made.journal.append(signed(11))
const whole = made.kept.text ?? ''

describe('a journal is not used, by name', () => {
  const with_ = async (text: string | null, identity = IDENTITY) => {
    made.kept.text = text
    return reopened(made, end, identity)
  }

  it.each<[string, string, () => string | null]>([
    ['missing', 'journal_missing', () => null],
    ['empty', 'journal_behind', () => ''],
    ['restored from a copy', 'journal_behind', () => early],
    ['cut between two entries', 'journal_behind', () => whole.slice(0, whole.lastIndexOf('{'))],
    ['cut within an entry', 'journal_damaged', () => whole.slice(0, -20)],
    ['without its last line end', 'journal_damaged', () => whole.slice(0, -1)],
    ['with one amount changed', 'journal_damaged', () => whole.replace('"amount":"100"', '"amount":"900"')],
    ['with an entry missing', 'journal_damaged', () => whole.split('\n').toSpliced(3, 1).join('\n')],
    ['with two entries changed round', 'journal_damaged', () => swapped(whole.split('\n')).join('\n')],
    ['with an entry twice', 'journal_damaged', () => `${whole}${whole.split('\n').at(-2)}\n`],
    ['of nonsense', 'journal_damaged', () => 'nonsense\n'],
  ])('%s: %s', async (_what, code, text) => {
    const { journal, fault, told } = await with_(text())
    expect(fault).toBe(code)
    expect(journal.fault()).toBe(code)
    expect(JSON.parse(told ?? '{}')).toMatchObject({ fault: code })
    await expect(journal.append(approved())).rejects.toThrow(code)
  })

  const swapped = ([first = '', second = '', third = '', fourth = '', ...rest]: string[]) => [
    first,
    second,
    fourth,
    third,
    ...rest,
  ]

  it('that went on from a copy', async () => {
    made.kept.text = early
    const copy = createJournal(made.storage)
    await copy.open(NOTHING, IDENTITY, 0)
    for (let number = 20; number < 25; number += 1) await copy.append(signed(number))
    expect((await with_(made.kept.text)).fault).toBe('journal_differs')
  })

  it('of other keys', async () => {
    expect((await with_(whole, { ...IDENTITY, hot: 'Tother' })).fault).toBe('journal_of_other_keys')
  })

  it('that could not be written: nothing is, until it is read again', async () => {
    const broken = await openMemoryJournal()
    broken.kept.fails = true
    await expect(broken.journal.append(signed(1))).rejects.toThrow('full')
    broken.kept.fails = false
    await expect(broken.journal.append(signed(2))).rejects.toThrow('journal_unwritable')
    expect(await broken.journal.open(NOTHING, IDENTITY, 0)).toBeNull()
    await broken.journal.append(signed(3))
    expect(broken.journal.memory.isSigned(String(signed(1).at).padStart(64, '0'))).toBe(false)
  })
})

describe('the key file', () => {
  const second = { ...IDENTITY, version: 2, policy: 'c'.repeat(64) }

  it('may be newer, and is remembered', async () => {
    const made = await openMemoryJournal()
    const { fault, journal } = await reopened(made, NOTHING, second)
    expect(fault).toBeNull()
    expect(journal.memory.keys()).toMatchObject({ version: 2 })
  })

  it('is refused where a newer one was seen, or another of the same number', async () => {
    const made = await openMemoryJournal(second)
    expect((await reopened(made, NOTHING, { ...second, version: 1 })).fault).toBe('key_file_older')
    const other = { ...second, policy: 'd'.repeat(64) }
    expect((await reopened(made, NOTHING, other)).fault).toBe('key_file_differs')
    expect((await reopened(made, NOTHING, second)).fault).toBeNull()
  })
})

describe('what is remembered of payments', () => {
  const paid = async (entries: readonly Entry[]): Promise<Journal> => {
    const { journal } = await openMemoryJournal()
    for (const entry of entries) await journal.append(entry)
    return journal
  }
  const at = 100 * HOUR

  it('counts a day, an hour and a member', async () => {
    const { memory } = await paid([
      signed(1, { at: at - 24 * HOUR, txid: 'a'.repeat(64) }),
      signed(2, { at: at - 23 * HOUR, txid: 'b'.repeat(64), amount: '20' }),
      signed(3, { at: at - HOUR + 1, txid: 'c'.repeat(64), amount: '3', member: '8' }),
    ])
    expect(memory.signedSums(at, 7n)).toEqual({ day: 23n, hour: 3n, memberDay: 20n })
    expect(memory.signedSums(at + 24 * HOUR, 7n)).toEqual({ day: 0n, hour: 0n, memberDay: 0n })
  })

  it('knows a wallet as new until a day after its first payment', async () => {
    const { memory } = await paid([signed(1, { at }), signed(2, { at: at + HOUR })])
    expect(memory.paidToNewWallet('Tother', at)).toBe(0n)
    expect(memory.paidToNewWallet('Twallet', at + 23 * HOUR)).toBe(200n)
    expect(memory.paidToNewWallet('Twallet', at + 24 * HOUR)).toBeNull()
  })

  it('knows what was approved by codes, and how often one was wrong', async () => {
    const { memory } = await paid([
      approved({ key: 'code', counter: 70, at }),
      { kind: 'wrong_code', at, operator: '3' },
    ])
    expect(memory.counter(3n, 'code')).toBe(70)
    expect([memory.approvedByCode(at), memory.approvedByCode(at + 24 * HOUR)]).toEqual([100n, 0n])
    expect([memory.wrongCodes(3n, at), memory.wrongCodes(3n, at + 24 * HOUR)]).toEqual([1, 0])
  })
})

describe('on a disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aval-journal-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'signer.journal')

  it('is written, closed and read again', async () => {
    const first = createJournal(fileStorage(path))
    await first.open(NOTHING, IDENTITY, 0)
    const heads = await Promise.all([approved(), signed(10)].map((entry) => first.append(entry)))
    await first.close()
    const second = createJournal(fileStorage(path))
    expect(await second.open(heads[1] as Head, IDENTITY, 0)).toBeNull()
    const end = await second.append(signed(11))
    await second.close()
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(end.sequence)
    expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[2] ?? '')).toMatchObject({ kind: 'approved' })
  })

  it('is given up when somebody else writes into it, or cuts it, while it is open', async () => {
    for (const change of [() => appendFileSync(path, 'x'), () => truncateSync(path, 100)]) {
      const before = readFileSync(path)
      const journal = createJournal(fileStorage(path))
      await journal.open(NOTHING, IDENTITY, 0)
      change()
      await expect(journal.append(signed(12))).rejects.toThrow('changed by somebody else')
      expect(journal.fault()).toBe('journal_unwritable')
      await journal.close()
      writeFileSync(path, before)
    }
  })
})
