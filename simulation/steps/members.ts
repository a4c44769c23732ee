/** What members do, and what a thief of something of theirs tries; and a model of codes: which may work, once. */
import { inTransaction } from '@aval/db'
import { micro } from '@aval/money'
import { commitOnRefusal } from '../../apps/server/src/core/committed-refusal.ts'
import type { Context } from '../../apps/server/src/core/context.ts'
import { Refusal } from '../../apps/server/src/core/refusal.ts'
import {
  cancelInvoice,
  completeInvoice,
  createInvoice,
} from '../../apps/server/src/features/investments/invoices.commands.ts'
import { cancelWithdrawal } from '../../apps/server/src/features/withdrawals/decide.commands.ts'
import { requestWithdrawal, sendCode } from '../../apps/server/src/features/withdrawals/request.commands.ts'
import { type Investor, USDT } from '../people.ts'
import type { World } from '../world.ts'

/** What the simulated member knows of the last code that was sent. */
interface SentCode {
  /** Null for a code that is good for any amount. */
  readonly amount: bigint | null
  readonly at: number
  /** Wrong tries so far: the fifth kills it. */
  wrong: number
  used: boolean
}
export type CodeBook = Map<bigint, SentCode>

const CODE_LIFE_MS = 10 * 60_000
const MOST_WRONG = 5

const isGood = (code: SentCode | undefined, now: number): boolean =>
  code !== undefined && !code.used && code.wrong < MOST_WRONG && now <= code.at + CODE_LIFE_MS

const pick = <Item>(world: World, items: readonly Item[]): Item => {
  const item = items[world.chance.below(items.length)]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}

const AMOUNTS = [20n, 20n, 50n, 50n, 100n, 250n, 250n, 999n, 1_000n, 1_500n, 5_000n].map(
  (amount) => amount * USDT,
)
const ODD = [77_123_456n, 19_999_999n, 20_000_001n]

const someAmount = (world: World): bigint => pick(world, world.chance.happens(0.8) ? AMOUNTS : ODD)

const asking = (world: World, investor: Investor) => ({
  memberId: investor.memberId,
  sessionId: investor.sessionId,
  device: investor.device,
  now: world.now(),
  systemNow: world.now(),
})

/** A refusal's name; anything else goes on. */
export async function outcomeOf(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

export function askForCode(world: World, context: Context, codes: CodeBook): Promise<string> {
  return askAs(world, context, codes, pick(world, world.template.investors))
}

async function askAs(world: World, context: Context, codes: CodeBook, investor: Investor): Promise<string> {
  const bound = world.chance.happens(0.7)
  const amount = bound ? someAmount(world) : null
  const pair = amount === null ? null : { amount: micro(amount), wallet: investor.wallet }
  const { memberId } = investor
  const before = await readMail(world, memberId)
  try {
    return await outcomeOf(async () => {
      await inTransaction(context.db, (tx) => sendCode(context, tx, asking(world, investor), pair))
      return `code for ${memberId} ${amount ?? 'any'}`
    })
  } finally {
    // A process that was killed before it heard of its commit has made the code all the same.
    if ((await readMail(world, memberId))?.id !== before?.id)
      codes.set(memberId, { amount, at: world.time, wrong: 0, used: false })
  }
}

/** The member's newest mail with a code. */
async function readMail(world: World, memberId: bigint) {
  const { rows } = await world.owner.query<{ id: string; code: string | null }>(
    `SELECT id, params->>'code' AS code FROM mail_message WHERE member_id = $1 AND template = 'withdrawal_code' ORDER BY id DESC LIMIT 1`,
    [memberId],
  )
  return rows[0]
}

/** `device`: the code is used on another one than it was asked for on, which is right. */
const TRICKS = ['right', 'amount', 'wallet', 'digits', 'stranger', 'device'] as const
/** In which share of all tries everything is as it should be. */
const HONEST = 0.7

/**
 * Tries to withdraw, honestly or with something wrong.
 * @throws when what must not work has worked
 */
export async function withdraw(world: World, context: Context, codes: CodeBook): Promise<string> {
  const investor = pick(world, world.template.investors)
  const { memberId } = investor
  const trick = world.chance.happens(HONEST) ? 'right' : pick(world, TRICKS)
  // Most members ask for a code first.
  if (!isGood(codes.get(memberId), world.time) && world.chance.happens(0.8))
    await askAs(world, context, codes, investor)
  const sent = codes.get(memberId)
  const other = pick(world, world.template.investors)
  const asked = trick === 'amount' ? someAmount(world) : (sent?.amount ?? someAmount(world))
  const owner = trick === 'stranger' ? other.memberId : memberId
  const known = (await readMail(world, owner))?.code ?? null
  const code = trick === 'digits' || known === null ? '0000000' : known
  const device = trick === 'device' ? { ...investor.device, userAgent: 'another browser' } : investor.device
  const wallet = trick === 'wallet' ? other.wallet : investor.wallet
  const isRight =
    sent !== undefined &&
    isGood(sent, world.time) &&
    code === (await readMail(world, memberId))?.code &&
    wallet === investor.wallet &&
    (sent.amount === null || sent.amount === asked)
  const ask = { ...asking(world, investor), device, amount: micro(asked), wallet }
  const attempt = () =>
    outcomeOf(async () => {
      const id = await commitOnRefusal(context.db, (tx) =>
        requestWithdrawal(context, tx, ask, { code, otp: null, attempt: null, passkey: null }),
      )
      if (sent !== undefined) sent.used = true
      return `withdrawal ${id}`
    })
  const before = sent?.used ?? false
  // A member presses twice, in the same instant.
  const outcomes = world.chance.happens(0.2) ? await Promise.all([attempt(), attempt()]) : [await attempt()]
  const successes = outcomes.filter((outcome) => outcome.startsWith('withdrawal ')).length
  if (successes > 1) throw new Error(`one code worked ${successes} times`)
  if (successes === 1 && (before || !isRight)) throw new Error(`a wrong code worked (${trick})`)
  if (sent !== undefined) sent.wrong += outcomes.filter((outcome) => outcome.startsWith('code_')).length
  return `${memberId} asks for ${asked} (${trick}): ${outcomes.toSorted().join(' and ')}`
}

/** A member takes a request back: their own mostly, sometimes somebody else's. */
export async function cancel(world: World, context: Context): Promise<string> {
  const { rows } = await world.owner.query<{ id: string; owner: string }>(
    `SELECT id, member_id AS owner FROM withdrawal WHERE state = 'requested' ORDER BY id`,
  )
  const row = rows[world.chance.below(Math.max(rows.length, 1))]
  const stranger = pick(world, world.template.investors).memberId
  if (row === undefined) return 'nothing to cancel'
  const memberId = world.chance.happens(0.7) ? BigInt(row.owner) : stranger
  return outcomeOf(async () => {
    await inTransaction(context.db, (tx) =>
      cancelWithdrawal(tx, { memberId, id: BigInt(row.id), now: world.now(), systemNow: world.now() }),
    )
    if (memberId !== BigInt(row.owner)) throw new Error(`${memberId} cancelled what is not theirs`)
    return `${memberId} cancels ${row.id}`
  })
}

/** A member asks to invest, completes from the balance what came in parts, or cancels it. */
export async function invest(world: World, context: Context): Promise<string> {
  const { memberId } = pick(world, world.template.investors)
  const { rows } = await world.owner.query<{ txn_id: string }>(
    `SELECT txn_id FROM invoice WHERE member_id = $1 AND state = 'open' ORDER BY id`,
    [memberId],
  )
  const open = rows[world.chance.below(Math.max(rows.length, 1))]?.txn_id
  if (open === undefined || world.chance.happens(0.5)) {
    const amount = micro(pick(world, [2n, 100n * USDT, 150n * USDT, 1_200n * USDT]))
    return outcomeOf(async () => {
      await inTransaction(context.db, (tx) => createInvoice(tx, memberId, amount, world.now()))
      return `${memberId} asks to invest ${amount}`
    })
  }
  const end = world.chance.happens(0.5) ? completeInvoice : cancelInvoice
  return outcomeOf(async () => {
    await inTransaction(context.db, async (tx) => void (await end(tx, memberId, open, world.now())))
    return `${memberId}: ${end.name}`
  })
}

/** Money comes in on the chain: to a member, to the company, or straight to the hot wallet. */
export async function deposit(world: World, hot: Investor['deposits']): Promise<string> {
  const to = pick(world, [
    ...world.template.investors.map(({ deposits }) => deposits),
    world.template.company,
    hot,
  ])
  const amount = pick(world, [1n, 99_999_999n, 150n * USDT, 1_000n * USDT, 4_000n * USDT])
  await world.devnet.wallet.pay('demoWallet', to, amount)
  return `${amount} to ${to}`
}
