import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthenticator } from '@aval/approvals/testing'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { codeAt } from '../approvals/totp.ts'
import type { Head } from '../journal/entries.rules.ts'
import { createJournal } from '../journal/journal.ts'
import { fileStorage } from '../journal/storage.ts'
import { newPolicy, policySchema, writtenPolicy } from '../policy.rules.ts'
import { IDENTITY } from '../testing/journals.ts'
import {
  addPasskey,
  fingerprintOf,
  listApprovers,
  makeCode,
  moveOrigin,
  pinDevnet,
  removeApprover,
} from './approvers.ts'
import type { CommandContext, PolicyFiles } from './command.ts'
import { acknowledgeJournal } from './journal.ts'
import { changeLimits } from './limits.ts'
import { changeMembers } from './members.ts'

const ORIGIN = 'http://localhost:3002'
const MEMBERS = 'http://localhost:3000'
const NOW = Date.UTC(2030, 0, 1)
const folder = mkdtempSync(join(tmpdir(), 'aval-policy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let shown = ''
let path = ''
let files = 0
beforeEach(() => {
  shown = ''
  files += 1
  path = join(folder, `signer-${files}.json`)
  network = 'devnet'
  kept = newPolicy('devnet')
})

/** A key file without its encryption, which is slow by intent: `keys.test.ts` has that. */
let network = 'devnet'
let kept = newPolicy('devnet')
const policies: PolicyFiles = {
  read: async () => ({ network, policy: kept }),
  async change(_file, change) {
    kept = policySchema.parse(writtenPolicy({ ...change(kept), version: kept.version + 1 }))
    return kept
  },
}

/** A person who answers; a function sees what was shown before. */
function answering(...answers: (string | (() => string))[]): CommandContext {
  const say = (text: string) => {
    shown += `${text}\n`
  }
  const ask = async (question: string) => {
    say(question)
    const answer = answers.shift()
    return typeof answer === 'function' ? answer() : (answer ?? null)
  }
  return {
    terminal: { isPerson: false, say, ask, close: () => undefined },
    environment: { keyFile: null, journal: null, passphrase: null, feeLimit: null, apiKeys: null },
    policies,
    passphrase: async () => '',
    now: () => new Date(NOW),
  }
}
const policy = async () => kept

const authenticator = createAuthenticator(ORIGIN)
const lineOf = (changes: object = {}) => {
  const key = { member: 12, name: 'Ana Ruiz', origin: ORIGIN, ...authenticator.passkey, ...changes }
  return `avalkey1.${Buffer.from(JSON.stringify(key)).toString('base64url')}`
}

describe('an operator’s passkey', () => {
  it('is pinned after a person has compared its fingerprint', async () => {
    await addPasskey(answering('yes'), path, lineOf())
    const fingerprint = fingerprintOf(authenticator.passkey.publicKey)
    expect(fingerprint).toMatch(/^[0-9a-f]{4}( [0-9a-f]{4}){4}$/)
    expect(shown).toContain(`fingerprint  ${fingerprint}\n`)
    expect(await policy()).toMatchObject({
      version: 1,
      origin: ORIGIN,
      rpId: 'localhost',
      approvers: [{ memberId: 12n, name: 'Ana Ruiz', passkeys: [authenticator.passkey] }],
    })
    shown = ''
    await listApprovers(answering(), path)
    expect(shown).toContain(`member 12   Ana Ruiz\n  passkey ${fingerprint}   since 2030-01-01\n`)
  })

  it.each<[string, string, string[], string]>([
    ['nobody said yes to', lineOf(), ['no'], 'nothing was changed'],
    ['is cut', lineOf().slice(0, -9), [], 'copy it whole'],
    ['is no line of the page', 'hello', [], 'copy it whole'],
    ['is no key', lineOf({ publicKey: 'AAAA' }), [], 'copy it whole'],
    ['is of another kind than it says', lineOf({ algorithm: -257 }), [], 'copy it whole'],
    ['is of a page without TLS', lineOf({ origin: 'http://aval.example' }), [], 'is no address of a page'],
    ['is of an address with a path', lineOf({ origin: `${ORIGIN}/x` }), [], 'is no address of a page'],
  ])('that %s is not pinned', async (_what, line, answers, problem) => {
    await expect(addPasskey(answering(...answers), path, line)).rejects.toThrow(problem)
    expect(await policy()).toEqual(newPolicy('devnet'))
  })

  it('is pinned once, for one person, and for one page', async () => {
    await addPasskey(answering('yes'), path, lineOf())
    await expect(addPasskey(answering('yes'), path, lineOf({ member: 13 }))).rejects.toThrow(
      'pinned already, for Ana Ruiz',
    )
    const other = createAuthenticator(ORIGIN).passkey
    await expect(
      addPasskey(answering('yes'), path, lineOf({ ...other, origin: 'https://a.example' })),
    ).rejects.toThrow(`approvals are made at ${ORIGIN}`)
    await addPasskey(answering('yes'), path, lineOf(other))
    expect((await policy()).approvers[0]?.passkeys).toHaveLength(2)
  })

  it('is removed alone by its fingerprint, or with its operator', async () => {
    const other = createAuthenticator(ORIGIN).passkey
    await addPasskey(answering('yes'), path, lineOf())
    await addPasskey(answering('yes'), path, lineOf(other))
    await expect(removeApprover(answering('yes'), path, '12', 'abcd')).rejects.toThrow(
      'no key with this fingerprint',
    )
    await removeApprover(answering('yes'), path, '12', fingerprintOf(other.publicKey))
    expect((await policy()).approvers).toMatchObject([{ passkeys: [authenticator.passkey] }])
    await expect(removeApprover(answering('yes'), path, '13', null)).rejects.toThrow('approves nothing')
    await removeApprover(answering('yes'), path, '12', null)
    expect(await policy()).toMatchObject({ version: 4, approvers: [] })
  })

  it('goes when the page moves to another address', async () => {
    await addPasskey(answering('yes'), path, lineOf())
    await moveOrigin(answering('yes'), path, 'https://approve.aval.example')
    expect(await policy()).toMatchObject({
      origin: 'https://approve.aval.example',
      rpId: 'approve.aval.example',
      approvers: [{ memberId: 12n, passkeys: [] }],
    })
  })
})

describe('codes', () => {
  it('are made by a secret of their own, which is shown once and proven', async () => {
    const code = () => codeAt(/secret=([A-Z2-7]{32})&/.exec(shown)?.[1] ?? '', NOW)
    await makeCode(answering(code), path, '12', 'Ana')
    expect(shown).toContain('otpauth://totp/Aval%20approvals%3AAna?secret=')
    expect((await policy()).approvers).toMatchObject([
      { memberId: 12n, name: 'Ana', codeSecret: expect.any(String) },
    ])
    await expect(makeCode(answering('000000'), path, '13', 'Bo')).rejects.toThrow('not its code')
  })

  it('are for nothing where the key file lets them approve nothing', async () => {
    await changeLimits(answering(), path, { codesEach: '0', codesDecide: 'no' })
    await expect(makeCode(answering(), path, '12', 'Ana')).rejects.toThrow('codes approve nothing')
    expect(newPolicy('mainnet').codes).toEqual({ each: 0n, perDay: 0n })
    expect(newPolicy('mainnet').decisions).toEqual({ run: 1, plan: 2, memberKey: 2, codes: false })
  })

  it('of the development chain’s operators are those that everybody can compute, pinned once', async () => {
    await pinDevnet(answering(), path, '2,3', MEMBERS)
    await pinDevnet(answering(), path, '2,3', MEMBERS)
    const { version, approvers, membersOrigin, membersRpId } = await policy()
    expect([version, membersOrigin, membersRpId]).toEqual([1, MEMBERS, 'localhost'])
    expect(approvers.map(({ memberId }) => memberId)).toEqual([2n, 3n])
    expect(approvers[0]?.codeSecret).toMatch(/^[A-Z2-7]{32}$/)
    await expect(pinDevnet(answering(), path, '2,x', MEMBERS)).rejects.toThrow('x is no number of a member')
    network = 'nile'
    await expect(pinDevnet(answering(), path, '2', MEMBERS)).rejects.toThrow('only the development chain')
  })
})

describe('where members sign', () => {
  it('is nowhere at first, and pinned by command', async () => {
    await changeMembers(answering(), path, {})
    expect(shown).toContain('no key of a member is sealed')
    network = 'mainnet'
    await changeMembers(answering(), path, { origin: 'https://app.example', coolingHours: '48' })
    expect(await policy()).toMatchObject({
      version: 1,
      membersOrigin: 'https://app.example',
      membersRpId: 'app.example',
      memberKeyCoolingHours: 48,
    })
  })

  it('moves only when a person says so', async () => {
    await changeMembers(answering(), path, { origin: MEMBERS })
    const move = { origin: 'http://localhost:4000' }
    await expect(changeMembers(answering('no'), path, move)).rejects.toThrow('nothing was changed')
    expect(await policy()).toMatchObject({ version: 1, membersOrigin: MEMBERS })
    await changeMembers(answering('yes'), path, move)
    expect(await policy()).toMatchObject({ version: 2, membersOrigin: move.origin })
  })

  it.each([
    [{ origin: 'http://app.example' }, 'no address of a page'],
    [{ origin: 'https://app.example/path' }, 'no address of a page'],
    [{ coolingHours: '-1' }, 'no whole number of hours'],
  ])('is not %o', async (given, problem) => {
    await expect(changeMembers(answering(), path, given)).rejects.toThrow(problem)
    expect((await policy()).version).toBe(0)
  })

  it('takes three days for a key in the place of a lost one, and none on the development chain', () => {
    expect(newPolicy('mainnet').memberKeyCoolingHours).toBe(72)
    expect(newPolicy('devnet').memberKeyCoolingHours).toBe(0)
  })
})

describe('limits', () => {
  it('are changed alone or together, and shown', async () => {
    await changeLimits(answering(), path, { perDay: '20000', needed: '0:1,1000:2,50000:3' })
    expect(await policy()).toMatchObject({
      version: 1,
      limits: { ...newPolicy('devnet').limits, perDay: 20_000_000_000n },
      needed: [
        { from: 0n, operators: 1 },
        { from: 1_000_000_000n, operators: 2 },
        { from: 50_000_000_000n, operators: 3 },
      ],
    })
    expect(shown).toContain('a day        20000.00 USDT')
    await changeLimits(answering(), path, {})
    expect((await policy()).version).toBe(1)
  })

  it('say how many operators each decision takes, and whether codes count for it', async () => {
    await changeLimits(answering(), path, { decisions: 'plan:2,member_key:3', codesDecide: 'no' })
    expect((await policy()).decisions).toEqual({ run: 1, plan: 2, memberKey: 3, codes: false })
    expect(shown).toContain('decisions    run 1, plan 2, member key 3 operators')
    await changeLimits(answering(), path, { codesDecide: 'yes' })
    expect((await policy()).decisions).toEqual({ run: 1, plan: 2, memberKey: 3, codes: true })
    expect(shown).toContain('by codes: yes, never a member key')
  })

  it.each([
    [{ decisions: 'plan:0' }, 'plan:0 is no decision'],
    [{ decisions: 'sweep:1' }, 'sweep:1 is no decision'],
    [{ codesDecide: 'maybe' }, 'codes decide: yes or no'],
    [{ perDay: '1e6' }, '1e6 is no whole number'],
    [{ needed: '0:0' }, '0:0 is no step'],
    [{ needed: '100:1' }, 'the first step is from 0'],
    [{ needed: '0:1,200:2,100:3' }, 'steps rise'],
  ])('are not %o', async (given, problem) => {
    await expect(changeLimits(answering(), path, given)).rejects.toThrow(problem)
    expect((await policy()).version).toBe(0)
  })
})

describe('acknowledging a journal', () => {
  const journal = () => `${path}.journal`
  const opened = async (end: Head, identity = IDENTITY) => {
    const made = createJournal(fileStorage(journal()))
    const fault = await made.open(end, identity, NOW)
    return { made, fault }
  }
  /** With two entries, closed. */
  const written = async (): Promise<Head> => {
    const { made } = await opened({ sequence: 0, hash: '' })
    const end = await made.append({ kind: 'wrong_code', at: NOW, operator: '5' })
    await made.close()
    return end
  }

  it.each<[string, string, () => void]>([
    ['missing', 'journal_missing', () => rmSync(journal())],
    ['cut', 'journal_damaged', () => writeFileSync(journal(), readFileSync(journal(), 'utf8').slice(0, -5))],
    [
      'restored',
      'journal_behind',
      () => writeFileSync(journal(), `${readFileSync(journal(), 'utf8').split('\n')[0]}\n`),
    ],
    ['written into', 'journal_damaged', () => appendFileSync(journal(), '{}\n')],
  ])('that is %s lets the signer go on, and a copy of before is refused again', async (_what, code, harm) => {
    const end = await written()
    harm()
    const harmed = existsSync(journal()) ? readFileSync(journal()) : null
    expect((await opened(end)).fault).toBe(code)
    await expect(acknowledgeJournal(answering('no'), journal())).rejects.toThrow('nothing was changed')
    expect((await opened(end)).fault).toBe(code)
    await acknowledgeJournal(answering('yes'), journal())
    const { made, fault } = await opened(end)
    expect(fault).toBeNull()
    const now = made.head()
    expect(now.sequence).toBeGreaterThan(end.sequence)
    await made.close()
    // The database remembers the new end.
    if (harmed === null) rmSync(journal())
    else writeFileSync(journal(), harmed)
    expect((await opened(now)).fault).toMatch(/^journal_/)
    if (harmed !== null)
      expect(readdirSync(folder).some((name) => name.includes('.journal.before-'))).toBe(true)
  })

  it('takes an older key file for the present one', async () => {
    const newer = { ...IDENTITY, version: 5 }
    const { made } = await opened({ sequence: 0, hash: '' }, newer)
    await made.close()
    expect((await opened({ sequence: 0, hash: '' })).fault).toBe('key_file_older')
    await acknowledgeJournal(answering('yes'), journal())
    expect((await opened({ sequence: 0, hash: '' })).fault).toBeNull()
  })

  it('does nothing where nothing is wrong', async () => {
    await written()
    await expect(acknowledgeJournal(answering('yes'), journal())).rejects.toThrow('says nothing against')
  })
})
