/** Decisions where the signer has no network: exported as the gateway, verified on another machine, applied as the signer's role. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DecisionRow } from '@aval/approvals'
import { createAuthenticator } from '@aval/approvals/testing'
import { connect } from '@aval/db/connect'
import { afterAll, describe, expect, it } from 'vitest'
import { exportUnsigned } from '../outgoing/offline.ts'
import { type Differences, ORIGIN } from '../testing/approvers.ts'
import { createOutgoingHarness, USDT_UNIT } from '../testing/outgoing-harness.ts'
import { suiteHarness } from '../testing/suite.ts'
import type { CommandContext } from './cli/command.ts'
import { signOffline } from './cli/sign-offline.ts'
import { signOutcomes } from './decision-files.ts'
import { importDecisions } from './import-decisions.ts'
import { createAuditKey } from './keys/audit-key.ts'
import { devnetKeys } from './keys/devnet-keys.ts'
import { writeKeyFile } from './keys/key-file.ts'
import { verifyDecisions } from './offline-decisions.ts'
import { type ExportFile, exportFile, type SignedDecisions, signedFile } from './offline-files.ts'
import { KEYS } from './testing/fixtures.ts'
import { openMemoryJournal } from './testing/journals.ts'

const harness = await suiteHarness(createOutgoingHarness, { hot: 100n * USDT_UNIT })
const { rows, approvers } = harness
const signer = connect(harness.database.signerUrl, 1, 'import in a test')
const folder = mkdtempSync(join(tmpdir(), 'aval-offline-'))
afterAll(async () => {
  await signer.close()
  rmSync(folder, { recursive: true })
})
const PASSPHRASE = 'correct horse battery'
const keyFile = join(folder, 'signer.json')
await writeKeyFile(keyFile, { ...devnetKeys(), policy: harness.policy }, PASSPHRASE)
await rows(`UPDATE house_balance SET amount = 9000000000 WHERE account = 'company:capital'`)
await harness.mine(4)
await harness.gateway({ signer: null }).round()

const OPERATOR = 901n
const HOUR = 3_600_000
const pool = async () =>
  Number((await rows(`SELECT amount FROM house_balance WHERE account = 'pool:profit'`))[0]?.['amount'])
const stateOf = async (approval: bigint) =>
  (await rows('SELECT state, refusal FROM approval WHERE id = $1', [approval]))[0]

/** A pool is to be funded: what operators see. */
async function proposed(): Promise<DecisionRow> {
  // One about one pool waits at a time.
  await rows(`UPDATE decision SET state = 'withdrawn', ended_at = now() WHERE state = 'open'`)
  const given = { pool: 'profit', amount: '400000000', reason: 'For May.\u001b[2K' }
  await rows(`SELECT propose_decision('fund_pool', $1, NULL, $2, now())`, [given, OPERATOR])
  const [made] = await rows<{ id: string; statement: Record<string, string> }>(
    'SELECT id, statement FROM decision ORDER BY id DESC LIMIT 1',
  )
  return { decisionId: BigInt(made?.id ?? 0), kind: 'fund_pool', statement: made?.statement ?? {} }
}

/** Signed by the operator for a machine without a network. */
async function approved(decision: DecisionRow, differences: Differences<DecisionRow> = {}): Promise<bigint> {
  const expiresAt = harness.now().getTime() + 20 * HOUR
  await rows(
    `UPDATE approval SET state = 'refused', refusal = 'stopped', decided_at = now() WHERE state = 'submitted'`,
  )
  return approvers.submitDecisions(OPERATOR, [decision], {
    ...differences,
    request: { expiresAt, ...differences.request },
  })
}
const exported = async (): Promise<ExportFile> => {
  const { file } = await exportUnsigned(harness.offline(), harness.now())
  return exportFile.parse(JSON.parse(JSON.stringify(file)))
}

let files = 0
/** What the other machine writes, and what it shows. */
async function signedElsewhere(file: object, ...answers: string[]) {
  files += 1
  const names = { exported: join(folder, `export-${files}.json`), out: join(folder, `signed-${files}.json`) }
  writeFileSync(names.exported, JSON.stringify(file))
  let shown = ''
  const context: CommandContext = {
    terminal: {
      isPerson: false,
      say: (text) => {
        shown += `${text}\n`
      },
      ask: async () => answers.shift() ?? null,
      close: () => undefined,
    },
    environment: { keyFile, journal: null, passphrase: null, feeLimit: 100n * USDT_UNIT, apiKeys: null },
    policies: { read: () => Promise.reject(), change: () => Promise.reject() },
    passphrase: async () => PASSPHRASE,
    now: harness.now,
  }
  await signOffline(context, { ...names, keyFile })
  const { decisions } = signedFile.parse(JSON.parse(readFileSync(names.out, 'utf8')))
  if (decisions === null) throw new Error('no decision is in it')
  return { decisions, shown }
}
const imported = async (file: SignedDecisions, now = harness.now()) =>
  (await importDecisions(signer.db, file, now)).map(({ verdict }) => verdict)

it('is not imported before addresses brought the audit key', async () => {
  await approved(await proposed())
  const { decisions } = await signedElsewhere(await exported(), 'y')
  await expect(imported(decisions)).rejects.toThrow('no audit key is registered')
  await rows('INSERT INTO audit_key (public_key) VALUES ($1)', [KEYS.audit.publicKey])
})

describe('a pool that an operator agreed to fund', () => {
  it('is funded once the file came back, and never again by it', async () => {
    const decision = await proposed()
    const approval = await approved(decision)
    const before = await pool()
    const file = await exported()
    expect(await stateOf(approval)).toMatchObject({ state: 'submitted' })
    const { decisions, shown } = await signedElsewhere(file, 'y')
    expect(shown).toContain(`approval ${approval}, signed by operator 901`)
    expect(shown).toContain('move 400.00 USDT from the company’s capital into the profit pool')
    expect(shown).toContain('  capital_left: 8600.00 USDT\n')
    expect(shown).toContain('  reason: For May.\u{FFFD}[2K\n')
    expect(await pool()).toBe(before)
    expect(await imported(decisions)).toEqual(['accepted'])
    expect(await pool()).toBe(before + 400_000_000)
    expect(await imported(decisions)).toEqual(['accepted_before'])
    // A file of before, verified again: that machine knows it, and the database has applied it.
    expect(await imported((await signedElsewhere(file, 'y')).decisions)).toEqual(['accepted_before'])
    expect(await pool()).toBe(before + 400_000_000)
    expect((await exported()).decisions).toEqual([])
  })

  it('waits while the person says no, and travels while money out is stopped', async () => {
    const approval = await approved(await proposed())
    await harness.stopPayouts(true)
    const { file, without } = await exportUnsigned(harness.offline(), harness.now())
    await harness.stopPayouts(false)
    expect(without).toContain('money out is stopped')
    await expect(signedElsewhere(file, 'n')).rejects.toThrow('nothing was signed')
    expect(await stateOf(approval)).toMatchObject({ state: 'submitted' })
    expect(await imported((await signedElsewhere(file, 'y')).decisions)).toEqual(['accepted'])
  })

  it.each<[string, string, (decision: DecisionRow) => unknown, string]>([
    [
      'the capital was spent meanwhile',
      'company_funds_too_small',
      () => rows(`UPDATE house_balance SET amount = 1 WHERE account = 'company:capital'`),
      `UPDATE house_balance SET amount = 9000000000 WHERE account = 'company:capital'`,
    ],
    [
      'the operator was dismissed',
      'not_an_operator',
      () => rows('UPDATE member SET is_operator = false, operator_role = NULL WHERE id = 901'),
      `UPDATE member SET is_operator = true, operator_role = 'admin' WHERE id = 901`,
    ],
    [
      'it was taken back',
      'decision_closed',
      ({ decisionId }) =>
        rows(`UPDATE decision SET state = 'withdrawn', ended_at = now() WHERE id = $1`, [decisionId]),
      'SELECT 1',
    ],
  ])('is not funded where %s: %s', async (_what, verdict, change, back) => {
    const decision = await proposed()
    const approval = await approved(decision)
    const before = await pool()
    const { decisions } = await signedElsewhere(await exported(), 'y')
    await change(decision)
    expect(await imported(decisions)).toEqual([verdict])
    await rows(back)
    expect([await pool(), await stateOf(approval)]).toEqual([before, { state: 'refused', refusal: verdict }])
    expect(await imported(decisions)).toEqual(['refused_before'])
  })

  it('is not funded by a file that comes a day later', async () => {
    await approved(await proposed())
    const { decisions } = await signedElsewhere(await exported(), 'y')
    const later = new Date(harness.now().getTime() + 21 * HOUR)
    expect(await imported(decisions, later)).toEqual(['approval_expired'])
  })
})

describe('the machine with the keys refuses', () => {
  const forged = (change: (list: ExportFile['decisions'][number]) => object) => async () => {
    await approved(await proposed())
    const file = await exported()
    return { ...file, decisions: file.decisions.map((list) => ({ ...list, ...change(list) })) }
  }
  const signedBy = (differences: Differences<DecisionRow>) => async () => {
    await approved(await proposed(), differences)
    return exported()
  }
  // What the file said of another approval than the one that is here ends nothing.
  const FORGED = 'approval_differs'
  it.each<[string, string, () => Promise<object>, string?]>([
    ['another key', 'unknown_key', signedBy({ by: approvers.keyOf(5n) })],
    ['another origin', 'wrong_origin', signedBy({ assertion: { origin: 'http://localhost:3000' } })],
    ['a code', 'code_not_set_up', signedBy({ proof: { kind: 'code', code: '123456' } })],
    ['another operator', 'not_an_approver', forged(() => ({ operator: '902' })), FORGED],
    ['another nonce', 'wrong_challenge', forged(() => ({ nonce: 'ab'.repeat(32) })), FORGED],
    [
      'another amount',
      'list_differs',
      forged(({ rows: [row] }) => ({ rows: [[row?.[0], row?.[1], { ...row?.[2], amount: '900000000' }]] })),
    ],
    ['longer than a day', 'approval_too_far', forged(() => ({ expires_at: '2031-01-01T00:00:00Z' }))],
  ])('%s: %s, and the page hears of it', async (_what, verdict, made, imports = verdict) => {
    const before = await pool()
    const { decisions, shown } = await signedElsewhere(await made())
    expect(shown).toContain(`does not count: ${verdict.replaceAll('_', ' ')}`)
    expect(await imported(decisions)).toEqual([imports])
    expect(await pool()).toBe(before)
  })

  it('another operator or other words for what it has verified before', async () => {
    await approved(await proposed())
    const [list] = (await exported()).decisions
    if (list === undefined) throw new Error('nothing waits')
    const other = createAuthenticator(ORIGIN).passkey
    const passkeys = [{ ...other, addedAt: new Date(0).toISOString() }]
    const { policy } = harness
    const keys = {
      network: 'devnet',
      policy: { ...policy, approvers: [...policy.approvers, { memberId: 902n, name: 'Bea', passkeys }] },
    }
    const { journal } = await openMemoryJournal()
    const verify = (file: typeof list) => verifyDecisions(file, keys, journal, harness.now())
    const { entry } = await verify(list)
    if (entry === null) throw new Error('it was refused')
    await journal.append(entry)
    const claimed = { ...(list.proof as object), credential_id: other.credentialId }
    const again = await verify({ ...list, operator: '902', proof: claimed })
    expect(again.outcome.verdict).toBe('nonce_used')
    const rows = list.rows.map(([id, kind, said]): (typeof list.rows)[number] => [
      id,
      kind,
      { ...said, amount: '1' },
    ])
    expect((await verify({ ...list, rows })).outcome.verdict).toBe('list_differs')
    expect((await verify(list)).outcome.verdict).toBe('accepted')
  })

  it('a member’s key, which needs a signer with a network', async () => {
    await approved({ decisionId: 77n, kind: 'member_key', statement: { member: '1' } })
    const { shown } = await signedElsewhere(await exported())
    expect(shown).toContain('does not count: member key without network')
  })
})

describe('a file that comes back', () => {
  const good = async () => {
    await approved(await proposed())
    return (await signedElsewhere(await exported(), 'y')).decisions
  }
  const otherKeys = { ...KEYS, audit: createAuditKey('another deposit key') }
  it.each<[string, string, (file: SignedDecisions) => SignedDecisions]>([
    ['of another network', 'it is of nile', (file) => ({ ...file, network: 'nile' })],
    ['of another installation', 'another audit key', (file) => signOutcomes(otherKeys, file.outcomes)],
    [
      'that claims our audit key',
      'its signature does not fit',
      (file) => ({ ...signOutcomes(otherKeys, file.outcomes), audit_key: file.audit_key }),
    ],
    [
      'that was changed',
      'its signature does not fit',
      (file) => ({ ...file, outcomes: file.outcomes.map((each) => ({ ...each, needed: [2] })) }),
    ],
    [
      'that was cut',
      'its signature does not fit',
      (file) => ({ ...file, outcomes: [...file.outcomes, ...file.outcomes] }),
    ],
  ])('%s applies nothing: %s', async (_what, line, change) => {
    const file = await good()
    const before = await pool()
    await expect(imported(change(file))).rejects.toThrow(line)
    expect(await pool()).toBe(before)
    expect(await imported(file)).toEqual(['accepted'])
  })

  it('applies no rows but those that were verified, and goes on with the others', async () => {
    const seen = await proposed()
    const decision = { ...seen, statement: { ...seen.statement, amount: '1' } }
    // Two thieves: one stored other rows than were signed, the other exports those that were.
    const approval = await approved(decision, { stored: [seen] })
    const file = await exported()
    const [list] = file.decisions
    const lie = { ...list, rows: [[String(decision.decisionId), decision.kind, decision.statement]] }
    const { decisions } = await signedElsewhere({ ...file, decisions: [lie] }, 'y')
    const [outcome] = decisions.outcomes
    if (outcome === undefined) throw new Error('nothing was verified')
    const unknown = { ...outcome, approval: '999999' }
    const before = await pool()
    const both = signOutcomes(KEYS, [unknown, { ...outcome, operator: '5' }, outcome])
    expect(await imported(both)).toEqual(['approval_differs', 'approval_differs', 'list_differs'])
    expect([await pool(), await stateOf(approval)]).toEqual([before, { state: 'submitted', refusal: null }])
    const trail = await rows(
      `SELECT details->>'code' AS code FROM audit_event WHERE action = 'approval.verify' AND subject = $1 ORDER BY id`,
      [`approval:${approval}`],
    )
    expect(trail).toEqual([{ code: 'approval_differs' }, { code: 'list_differs' }])
  })

  it('is no file of signatures with too many of them, or cut off', () => {
    const outcome = {
      approval: '1',
      operator: '1',
      nonce: 'a'.repeat(64),
      root: 'b'.repeat(64),
      verdict: 'accepted',
      needed: [1],
    }
    const made = (count: number) => ({
      transfers: [],
      decisions: signOutcomes(KEYS, Array(count).fill(outcome)),
    })
    expect(signedFile.safeParse(made(200)).success).toBe(true)
    for (const wrong of [made(201), made(0), { ...made(1), more: 1 }])
      expect(signedFile.safeParse(wrong).success).toBe(false)
  })
})
