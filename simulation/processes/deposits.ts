/**
 * Kills every process at random moments (SIGKILL) while ten members register and invest, starts everything again, and audits
 * what is left: each transfer credited once, no investment's commissions paid twice, the ledger clean.
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
  paymentsSent: number
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
      const { address: to, amount, txn_id: key } = invoice
      await insist(
        () => run.product.dev('pay', { to, amount, key }),
        () => false,
      )
      sent += 1
      run.paymentsSent += 1
    }
    await pause(300)
  }
}

const COUNTS = `SELECT (SELECT count(*)::int FROM deposit_credit) AS credits, (SELECT count(*)::int FROM investment) AS investments,
  (SELECT count(*)::int FROM investment i WHERE EXISTS (SELECT FROM payout_run r WHERE r.kind = 'direct' AND r.state = 'done'
    AND i.id BETWEEN r.first_investment AND r.last_investment)) AS commissioned`

async function auditDeposits({ product, paymentsSent }: Run): Promise<readonly string[]> {
  return audit(product, async () => {
    const [counts] = await product.query<Record<string, number>>(COUNTS)
    return Object.entries(counts ?? { rows: 0 }).flatMap(([what, count]) =>
      count === paymentsSent ? [] : [`${paymentsSent} payments were sent: ${count} ${what}`],
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
  const run: Run = { product, seed, over: false, paymentsSent: 0 }
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
    await until('a payment of each member', async () => run.paymentsSent >= MEMBERS).catch(() => undefined)
    run.over = true
    await Promise.all(members)
    return { kills, paymentsSent: run.paymentsSent, faults: await auditDeposits(run) }
  } finally {
    run.over = true
    await product.remove()
  }
}
