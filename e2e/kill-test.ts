import { setTimeout as pause } from 'node:timers/promises'
import { dashboard, investmentPayment } from '@aval/contract'
import { auditKills, type KillReport } from './kill-audit.ts'
import { register, type WireMember } from './member.ts'
import { createProduct, type Product } from './product.ts'

const MEMBERS = 10
const LOOK_EVERY_MS = 250
/** A minute. */
const MOST_LOOKS = 240

/** Seeded, so that a run that found something can be had again (the machine's own timing aside). */
function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

/** Tries until it works or the end has come: between two kills most calls fail, and that is the point. */
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

interface Asked {
  readonly txn_id: string
  readonly address: string
  readonly amount: string
}

/** Asking again answers the same open invoice, so an answer that was lost on the way does no harm. */
async function ask(member: WireMember, amount: number): Promise<Asked> {
  const asked = await member.post('plans/create-investment-payment/', { amount })
  if (asked.status !== 201) throw new Error(`asking: ${asked.status}`)
  return asked.as(investmentPayment).result
}

/** Pays under one key however often it takes: a person looks at their wallet before paying again. */
async function pay(product: Product, asked: Asked): Promise<true> {
  const paid = await fetch(`${product.devnetUrl}/dev/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: asked.address, amount: asked.amount, key: asked.txn_id }),
  })
  if (!paid.ok) throw new Error(`paying: ${paid.status}`)
  return true
}

/** One member's life: registers, invests 500 and some, and once that is credited tops up by 1, 2, 3 … */
async function live(
  product: Product,
  index: number,
  seed: number,
  over: () => boolean,
  paid: () => void,
): Promise<number> {
  let sent = 0
  while (!over()) {
    // The access token may have died with the last kill, so every attempt begins by signing in.
    const asked = await insist(async () => {
      const member = await register(product.url, '0', `kill${seed}m${index}`)
      const { investment_amount } = (await member.get('core/dashboard/')).as(dashboard)
      if (sent > 0 && investment_amount === 0) throw new Error('not credited yet')
      return ask(member, sent === 0 ? 500 + index : sent)
    }, over)
    // What was asked for is paid even when the end has come, so that the audit knows what to expect.
    if (
      asked !== null &&
      (await insist(
        () => pay(product, asked),
        () => false,
      ))
    ) {
      sent += 1
      paid()
    }
    await pause(300)
  }
  return sent
}

/** Runs the whole of it; see the file that calls this. */
export async function runKills(options: {
  kills: number
  seed: number
  say(line: string): void
}): Promise<KillReport> {
  const product = await createProduct({ DEMO: 'off', DEVNET_BLOCK_MS: '300', DEVNET_SOLID_LAG: '2' })
  const random = dice(options.seed)
  let over = false
  let payments = 0
  try {
    await product.start()
    const lives = Array.from({ length: MEMBERS }, (_, index) =>
      live(
        product,
        index,
        options.seed,
        () => over,
        () => {
          payments += 1
        },
      ),
    )
    for (let kill = 1; kill <= options.kills; kill += 1) {
      const after = Math.floor(random() * 2500)
      await pause(after)
      product.killAll()
      const began = Date.now()
      await product.start()
      options.say(
        `kill ${kill} of ${options.kills}, ${after} ms after the start; up again in ${Date.now() - began} ms`,
      )
    }
    // On a slow machine nobody may have come to pay between the kills: then there would be nothing to audit.
    for (let looks = 0; payments < MEMBERS && looks < MOST_LOOKS; looks += 1) await pause(LOOK_EVERY_MS)
    over = true
    const sent = await Promise.all(lives)
    return await auditKills(
      product,
      options.kills,
      sent.reduce((sum, count) => sum + count, 0),
    )
  } finally {
    over = true
    await product.remove()
  }
}
