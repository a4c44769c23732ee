import { describe, expect, it } from 'vitest'
import {
  confirmationsOf,
  marksIn,
  mayBecome,
  type Progress,
  type RiskFacts,
  risksFrom,
  shownTxid,
  stageOf,
  statusOf,
  type Transfer,
  timelineOf,
} from './withdrawals.rules.ts'

const at = (text: string) => new Date(`2026-05-03T${text}Z`)
const sent: Transfer = {
  txid: 'a'.repeat(64),
  state: 'signed',
  signedAt: at('12:02:00'),
  broadcastAt: at('12:02:01'),
  seenAt: null,
  seenBlock: null,
  block: null,
  blockAt: null,
}
const approved: Progress = {
  state: 'approved',
  requestedAt: at('12:00:00'),
  approvedAt: at('12:01:00'),
  closedAt: null,
  transfer: null,
}
const withTransfer = (change: Partial<Transfer>): Progress => ({
  ...approved,
  transfer: { ...sent, ...change },
})
const stages = (progress: Progress, ahead = 0, now = at('13:00:00')) =>
  timelineOf(progress, ahead, now).map(
    ({ stage, at: when }) => `${stage} ${when.toISOString().slice(11, 19)}`,
  )

describe('a withdrawal', () => {
  it('goes forward only, and ends once', () => {
    const all = ['requested', 'approved', 'completed', 'cancelled', 'refused', 'failed'] as const
    const steps = all.flatMap((from) => all.filter((to) => mayBecome(from, to)).map((to) => `${from} ${to}`))
    expect(steps).toEqual([
      'requested approved',
      'requested cancelled',
      'requested refused',
      'approved completed',
      'approved refused',
      'approved failed',
    ])
    expect(all.map(statusOf)).toEqual(['1', '2', '2', '3', '3', '3'])
  })

  it.each([
    ['approved', approved],
    ['approved', withTransfer({ state: 'prepared', signedAt: null, broadcastAt: null })],
    ['signed', withTransfer({ broadcastAt: null })],
    ['broadcast', withTransfer({})],
    ['confirming', withTransfer({ seenBlock: 90n, seenAt: at('12:02:03') })],
    ['confirming', withTransfer({ state: 'settled', block: 90n })],
    ['approved', withTransfer({ state: 'expired' })],
    ['requested', { ...approved, state: 'requested', approvedAt: null }],
    [
      'completed',
      { ...withTransfer({ state: 'settled', block: 90n }), state: 'completed', closedAt: at('12:03:00') },
    ],
  ] as const)('is shown as %s', (stage, progress) => {
    expect(stageOf(progress)).toBe(stage)
  })

  it('shows a transaction once it was handed over, and not one that died', () => {
    expect(shownTxid(withTransfer({ broadcastAt: null }))).toBeNull()
    expect(shownTxid(withTransfer({}))).toBe(sent.txid)
    expect(shownTxid(withTransfer({ state: 'expired' }))).toBeNull()
  })

  it.each([
    [90n, 1n],
    [91n, 2n],
    [107n, 18n],
    [108n, 18n],
    [500n, 18n],
    [89n, 1n],
  ])('seen in block 90 counts, at head %s, %s confirmations of 19', (head, confirmations) => {
    expect(confirmationsOf(withTransfer({ seenBlock: 90n }), head, 19)).toBe(confirmations)
  })

  it('counts no confirmations before it is in a block', () => {
    expect(confirmationsOf(withTransfer({}), 90n, 19)).toBeNull()
    expect(confirmationsOf(withTransfer({ seenBlock: 90n }), 95n, 0)).toBe(0n)
  })
})

describe('its timeline', () => {
  it('lists each stage with its time', () => {
    const seen = withTransfer({ seenBlock: 90n, seenAt: at('12:02:04') })
    expect(stages(seen)).toEqual([
      'requested 12:00:00',
      'approved 12:01:00',
      'signed 12:02:00',
      'broadcast 12:02:01',
      'confirming 12:02:04',
    ])
    const done: Progress = { ...seen, state: 'completed', closedAt: at('12:03:00') }
    expect(stages(done).at(-1)).toBe('completed 12:03:00')
  })

  it('begins again at approved where a transfer died', () => {
    expect(stages(withTransfer({ state: 'expired' }))).toEqual(['requested 12:00:00', 'approved 12:01:00'])
  })

  it('runs forward on the clock of money, wherever the system’s clock stands', () => {
    const hours = 3_600_000
    expect(stages(withTransfer({}), -3 * hours).slice(2)).toEqual(['signed 12:01:00', 'broadcast 12:01:00'])
    expect(stages(withTransfer({}), 3 * hours).slice(2)).toEqual(['signed 13:00:00', 'broadcast 13:00:00'])
    const done: Progress = {
      ...withTransfer({ blockAt: at('12:02:30') }),
      state: 'completed',
      closedAt: at('12:03:00'),
    }
    expect(stages(done, 3 * hours)).toEqual([
      'requested 12:00:00',
      'approved 12:01:00',
      'signed 12:03:00',
      'broadcast 12:03:00',
      'confirming 12:03:00',
      'completed 12:03:00',
    ])
  })

  it('of what was never approved is two steps long', () => {
    const progress: Progress = { ...approved, state: 'cancelled', approvedAt: null, closedAt: at('12:05:00') }
    expect(stages(progress)).toEqual(['requested 12:00:00', 'cancelled 12:05:00'])
  })
})

describe('what an operator should look at', () => {
  const quiet: RiskFacts = {
    walletSince: null,
    securityChangedAt: null,
    hasWithdrawn: true,
    largeShare: null,
    deviceSince: null,
    walletSharedWith: null,
    fromPrincipal: 0n,
    owed: 0n,
  }
  const now = at('12:00:00')
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

  it.each([
    [{}, []],
    [{ walletSince: daysAgo(6.99), securityChangedAt: daysAgo(7) }, ['new_wallet']],
    [{ walletSince: daysAgo(7), securityChangedAt: daysAgo(1) }, ['recent_security_change']],
    [{ hasWithdrawn: false, largeShare: 80 }, ['first_withdrawal', 'large_share']],
    [
      { deviceSince: now, walletSharedWith: 'bob', fromPrincipal: 1n, owed: 1n },
      ['new_device', 'wallet_shared', 'principal', 'receivable'],
    ],
  ])('of %o is %j', (facts, marks) => {
    expect(risksFrom({ ...quiet, ...facts }, now).map(({ name }) => name)).toEqual(marks)
  })

  it('says why, and what was stored before there was a why has none', () => {
    const marks = risksFrom({ ...quiet, walletSince: daysAgo(1), largeShare: 93, owed: 30_000_000n }, now)
    expect(marks).toEqual([
      { name: 'new_wallet', since: daysAgo(1).toISOString(), what: null },
      { name: 'large_share', since: null, what: '93' },
      { name: 'receivable', since: null, what: '30.00' },
    ])
    expect(marksIn(marks)).toEqual(marks)
    expect(marksIn(['principal', 'nothing', 7])).toEqual([{ name: 'principal', since: null, what: null }])
  })
})
