/** Two operators at one thing at once: one act counts, and the other operator hears who was first, and what it was. */
import { describe, expect, it } from 'vitest'
import { queryValue } from '../core/query.sql.ts'
import { secondFactorFixture } from '../features/identity/testing/second-factor-fixture.ts'
import { HOUSE } from '../ledger/ledger.commands.ts'
import { createMoneyFixture } from '../testing/money-fixture.ts'
import { type Client, operatorClient, PROBLEM } from '../testing/server.ts'
import { soundSuiteFixture } from '../testing/suite.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { server, owner } = money
await money.receive(HOUSE, '1000')
const olga = await operatorClient(server, { username: 'olga', locale: 'en' })
const omar = await operatorClient(server, { username: 'omar', locale: 'en' })
const third = await operatorClient(server, { username: 'otto', locale: 'en' })
const { protectedMember } = secondFactorFixture(server)
let named = 0
let days = 0
/** An operator of whom nobody has heard before. */
const another = () => money.joined(`colleague-${++named}`, undefined, true)
const reason = 'Agreed with the directors.'

/** An act as one operator makes it: its path below `operator/`, and its body. */
type Act = readonly [path: string, body: object]
const onMember = (id: bigint, act: string, body: object = { reason }): Act => [`members/${id}/${act}/`, body]
/** Both do the same. */
const twice = (act: Act) => [act, act] as const
const send = (by: Client, [path, body]: Act) => by.decide(`operator/${path}`, body, PROBLEM)

const asksForRelease = (id: bigint) =>
  onMember(id, 'release', { reason, identified: 'By a video call with the passport.' })

/** What stands before the two act, who then do the same or the opposite. */
const ACTS: [
  what: string,
  prepare: () => Promise<readonly [first: Act, second: Act]>,
  code: string,
  says: RegExp,
][] = [
  ['freezes', async () => twice(onMember(await money.member(), 'freeze')), 'member_frozen', /^olga froze/],
  [
    'unfreezes',
    async () => {
      const id = await money.member()
      expect(await send(third, onMember(id, 'freeze'))).toAnswer(200)
      return twice(onMember(id, 'unfreeze'))
    },
    'member_not_frozen',
    /olga unfroze the account on/,
  ],
  [
    'makes a fundator',
    async () => twice(onMember(await money.member(), 'fundator', { fundator: true, reason })),
    'decision_waits_by',
    /olga proposed this/,
  ],
  [
    'sets extra points',
    async () => {
      const id = await money.member()
      return [
        onMember(id, 'extra-points', { percent: '1', was: '0', reason }),
        onMember(id, 'extra-points', { percent: '2', was: '0', reason }),
      ]
    },
    'decision_waits_by',
    /olga proposed this/,
  ],
  [
    'corrects a phone',
    async () => {
      const id = await money.member()
      const was = await queryValue<string>(owner)`SELECT phone_number FROM member WHERE id = ${id}`
      const to = (phone: string) => onMember(id, 'phone', { phone, was, reason })
      return [to('+573001112233'), to('+573004445566')]
    },
    'phone_moved',
    /olga corrected/,
  ],
  [
    'asks for a release',
    async () => twice(asksForRelease((await protectedMember()).memberId)),
    'release_waits',
    /^olga asked for it/,
  ],
  [
    'agrees to a release',
    async () => {
      const { memberId } = await protectedMember()
      expect(await send(third, asksForRelease(memberId))).toAnswer(200)
      return [onMember(memberId, 'release/agree', {}), onMember(memberId, 'release/refuse', {})]
    },
    'release_ended',
    /olga agreed on/,
  ],
  [
    'closes',
    async () => {
      const id = await money.member()
      const username = await queryValue<string>(owner)`SELECT username FROM member WHERE id = ${id}`
      return twice(onMember(id, 'close', { username, reason }))
    },
    'member_closed',
    /olga closed the account/,
  ],
  [
    'invites',
    async () => twice([`operators/${await money.member()}/invite/`, { role: 'support', reason }]),
    'operator_change_waits',
    /olga sent an invitation/,
  ],
  [
    'changes a role',
    async () => twice([`operators/${await another()}/role/`, { role: 'support', from: 'admin', reason }]),
    'operator_change_waits',
    /olga changed the role/,
  ],
  [
    'takes rights away',
    async () => twice([`operators/${await another()}/dismiss/`, { reason }]),
    'operator_not_found',
    /olga took the rights/,
  ],
  [
    'declares a rate',
    async () => {
      days += 1
      const at = (percentage: string): Act => [
        'rates/',
        { day: `2026-05-1${days}`, percentage, reason: 'A slow month.', was: null },
      ]
      return [at('0.1'), at('0.2')]
    },
    'rate_moved',
    /olga declared it/,
  ],
]

describe('of two operators of whom one was first', () => {
  it.each(ACTS)('the one that %s second hears of the first', async (_what, prepare, code, says) => {
    const [first, second] = await prepare()
    expect(await send(olga, first)).toAnswer(200)
    const refused = await send(omar, second)
    expect(refused).toRefuse(409, code)
    expect(refused.json().detail).toMatch(says)
  })

  it.each(ACTS)('who both %s at one moment one does', async (_what, prepare, code) => {
    const [first, second] = await prepare()
    const answers = await Promise.all([send(olga, first), send(omar, second)])
    expect(
      answers.map((answer) => (answer.statusCode === 409 ? answer.json().code : 200)).toSorted(),
    ).toEqual([200, code])
    expect(answers.find(({ statusCode }) => statusCode === 409)).toRefuse(409, code)
  })
})
