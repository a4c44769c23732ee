/**
 * Kills every process at random moments (SIGKILL) while ten members register and invest, at once, in parts and with too much,
 * starts everything again, and audits what is left: each transfer credited once, each invoice paid, every surplus in a balance, no
 * investment's commissions paid twice, the ledger clean.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { dashboard, investmentPayment } from '@aval/contract'
import { chanceFrom } from '../../bench/random.ts'
import { type Client, register } from '../../tools/testing/client.ts'
import { createProduct, type Product } from '../../tools/testing/product.ts'
import { until } from '../../tools/testing/until.ts'
import { audit } from './audit.ts'

const MEMBERS = 10
/** Members pay and kills come in turns of a few seconds: the longest a product lives after it was ready. */
const LONGEST_LIFE_MS = 2_500

/** Tries until it works or the end has come: between two kills most calls fail, which is the point. */
async function insist<Result>(work: () => Promise<Result>, over: () => boolean): Promise<Result | null> {
  while (!over()) {
    try {
      return await work()
    } catch {
      await pause(150)
    }
  }
  return null
}

/** Repeated, it answers the same open invoice, so a lost answer does no harm. */
async function openInvoice(member: Client, amount: number) {
  const answer = await member.post('plans/create-investment-payment/', { amount })
  if (answer.status !== 201) throw new Error(`no invoice: ${answer.status}`)
  return answer.as(investmentPayment).result
}

interface Run {
  readonly product: Product
  readonly seed: number
  over: boolean
  invoicesPaid: number
  paymentsSent: number
  /** In micro-USDT: what was paid beyond what was asked for. */
  surplus: bigint
}

const MICRO = 1_000_000
const SURPLUS = 0.25

/** How a member pays the next invoice: at once, in two parts, or in two parts that come to too much. */
function partsOf(amount: string, sent: number): string[] {
  const due = Number(amount)
  const part = (due / 3).toFixed(2)
  const rest = (extra: number) => ((due * MICRO - Number(part) * MICRO + extra * MICRO) / MICRO).toFixed(6)
  return [[amount], [part, rest(0)], [part, rest(SURPLUS)]][sent % 3] ?? []
}

/** A member registers, invests 500 and some, and once that is credited tops up by 1, 2, 3 … */
async function investAgainAndAgain(run: Run, index: number): Promise<void> {
  for (let sent = 0; !run.over; ) {
    // The access token may have gone with the last kill, so every attempt begins by signing in.
    const invoice = await insist(
      async () => {
        const member = await register(run.product.url, '0', `kill${run.seed}m${index}`)
        const { investment_amount } = (await member.get('core/dashboard/')).as(dashboard)
        if (sent > 0 && investment_amount === 0) throw new Error('not credited yet')
        return openInvoice(member, sent === 0 ? 500 + index : sent)
      },
      () => run.over,
    )
    if (invoice !== null) {
      // Paid even when the end has come, so that the audit knows what to expect; under one key however often it takes.
      const { address: to, amount, txn_id } = invoice
      const parts = partsOf(amount, sent + index)
      for (const [place, part] of parts.entries()) {
        await insist(
          () => run.product.dev('pay', { to, amount: part, key: `${txn_id}:${place}` }),
          () => false,
        )
        run.paymentsSent += 1
      }
      if ((sent + index) % 3 === 2) run.surplus += BigInt(SURPLUS * MICRO)
      sent += 1
      run.invoicesPaid += 1
    }
    await pause(300)
  }
}

const FOUND = `SELECT (SELECT count(*) FROM deposit_credit) AS credits, (SELECT count(*) FROM investment) AS investments,
  (SELECT count(*) FROM investment i WHERE EXISTS (SELECT FROM payout_run r WHERE r.kind = 'direct' AND r.state = 'done'
    AND i.id BETWEEN r.first_investment AND r.last_investment)) AS commissioned,
  (SELECT sum(balance) FROM member_balance) AS balances, (SELECT coalesce(sum(amount), 0) FROM member_pending) AS pending`

async function auditDeposits({
  product,
  invoicesPaid,
  paymentsSent,
  surplus,
}: Run): Promise<readonly string[]> {
  const wanted = {
    credits: paymentsSent,
    investments: invoicesPaid,
    commissioned: invoicesPaid,
    balances: surplus,
    pending: 0,
  }
  return audit(product, async () => {
    const [found] = await product.query<Record<string, string>>(FOUND)
    return Object.entries(wanted).flatMap(([what, value]) =>
      found?.[what] === String(value) ? [] : [`${what}: ${found?.[what]} instead of ${value}`],
    )
  })
}

export async function runDeposits(options: {
  readonly kills: number
  readonly seed: number
  readonly say: (line: string) => void
}) {
  const { kills, seed, say } = options
  const product = await createProduct({ DEMO: 'off', DEVNET_BLOCK_MS: '300', DEVNET_SOLID_LAG: '2' })
  const chance = chanceFrom(seed)
  const run: Run = { product, seed, over: false, invoicesPaid: 0, paymentsSent: 0, surplus: 0n }
  try {
    await product.start()
    const members = Array.from({ length: MEMBERS }, (_, index) => investAgainAndAgain(run, index))
    for (let kill = 1; kill <= kills; kill += 1) {
      const life = chance.below(LONGEST_LIFE_MS)
      await pause(life)
      await product.killAll()
      const began = Date.now()
      await product.start()
      say(`kill ${kill} of ${kills}, ${life} ms after the start; up again in ${Date.now() - began} ms`)
    }
    // On a slow machine nobody may have come to pay between the kills: then there would be nothing to audit.
    await until('an invoice of each member', async () => run.invoicesPaid >= MEMBERS).catch(() => undefined)
    run.over = true
    await Promise.all(members)
    const { invoicesPaid, paymentsSent } = run
    return { kills, invoicesPaid, paymentsSent, faults: await auditDeposits(run) }
  } finally {
    run.over = true
    await product.remove()
  }
}
