/**
 * Runs every scenario of an invoice once for each moment of it and each process that can die then: that process is killed
 * (SIGKILL), the caller repeats what was not answered, and the invoice must end as if nothing had happened.
 */
import { formatMicro, micro } from '@aval/money'
import { createProduct, type ProcessName, type Product } from '../../tools/testing/product.ts'
import { until } from '../../tools/testing/until.ts'
import { audit } from './audit.ts'
import type { InvoiceMoment } from './invoice-moments.ts'
import { type Outcome, SCENARIOS, type Scenario } from './invoice-scenarios.ts'
import { type Invoices, statesOf } from './invoices.ts'
import { type Member, newMember } from './people.ts'

/** The chain makes five blocks a second. Nothing is swept: it would only be in the way. */
export const openInvoiceProduct = async () => {
  const product = await createProduct({
    DEMO: 'off',
    DEVNET_BLOCK_MS: '200',
    DEVNET_SOLID_LAG: '2',
    SWEEP_FROM: '999999999',
  })
  try {
    await product.start()
    return product
  } catch (error) {
    await product.remove()
    throw error
  }
}

export interface Kill {
  readonly scenario: Scenario
  /** In which stage. */
  readonly place: number
  readonly moment: InvoiceMoment
  readonly victim: ProcessName
}

/** Every one there is, scenario by scenario. */
export const KILLS: readonly Kill[] = SCENARIOS.flatMap((scenario) =>
  scenario.stages.flatMap(({ moments = [] }, place) =>
    moments.flatMap((moment) => moment.victims.map((victim) => ({ scenario, place, moment, victim }))),
  ),
)

interface Books extends Record<'principal' | 'balance' | 'pending', string> {
  readonly credits: number
}
const BOOKS = `
  SELECT principal::text, balance::text, coalesce((SELECT amount FROM member_pending p WHERE p.member_id = b.member_id), 0)::text AS pending,
    (SELECT count(*)::int FROM deposit_credit c WHERE c.member_id = b.member_id) AS credits
  FROM member_balance b WHERE member_id = $1`

async function booksOf(product: Product, { id }: Member): Promise<Books> {
  return until('the books', async () => (await product.query<Books>(BOOKS, [id]))[0] ?? null)
}

/** Runs a scenario in which a process dies. @returns all that is wrong afterwards */
export async function killIn(product: Product, member: Member, kill: Kill): Promise<string[]> {
  const invoices: Invoices = { product, member, txnIds: [], address: '' }
  const before = await booksOf(product, member)
  for (const [place, stage] of kill.scenario.stages.entries()) {
    const action = await stage.action(invoices)
    if (place === kill.place) {
      const release = await kill.moment.reach(invoices, action)
      await product.kill(kill.victim)
      await release()
    } else await action.begin()
    await action.ensure()
  }
  return differences(kill.scenario, await outcomeOf(invoices, before))
}

async function outcomeOf(invoices: Invoices, before: Books) {
  const { product, member } = invoices
  const after = await booksOf(product, member)
  const credits = await product.query<{ outcome: string }>(
    `SELECT outcome FROM deposit_credit JOIN incoming_transfer USING (txid, position)
     WHERE deposit_credit.member_id = $1 ORDER BY seq OFFSET ${before.credits}`,
    [member.id],
  )
  const ofInvoices = (rows: string) => product.query(`SELECT FROM ${rows}`, [invoices.txnIds])
  const gained = (account: 'principal' | 'balance') =>
    formatMicro(micro(BigInt(after[account]) - BigInt(before[account])))
  const open = await product.query("SELECT FROM invoice WHERE member_id = $1 AND state = 'open'", [member.id])
  return {
    principal: gained('principal'),
    balance: gained('balance'),
    pending: after.pending,
    open: open.length,
    states: await statesOf(invoices),
    credits: credits.map(({ outcome }) => outcome),
    investments: (await ofInvoices('investment WHERE txn_id = ANY ($1)')).length,
  }
}

function differences(
  { principal, balance, states, credits }: Outcome,
  found: Awaited<ReturnType<typeof outcomeOf>>,
): string[] {
  const investments = states.filter((state) => state === 'paid').length
  const wanted = { principal, balance, pending: '0', open: 0, states, credits, investments }
  return Object.entries(wanted).flatMap(([what, value]) => {
    const is = found[what as keyof typeof found]
    const [one, other] = [value, is].map((each) => JSON.stringify(each))
    return one === other ? [] : [`${what}: ${other} instead of ${one}`]
  })
}

/** Everything credited as it is on the chain, no commissions missing, the ledger clean. */
export const auditInvoices = (product: Product) =>
  audit(product, async () => {
    const unpaid = await product.query(`SELECT FROM investment i WHERE NOT EXISTS (SELECT FROM payout_run r
      WHERE r.kind = 'direct' AND r.state = 'done' AND i.id BETWEEN r.first_investment AND r.last_investment)`)
    return unpaid.length === 0 ? [] : [`${unpaid.length} investments without their commissions`]
  })

const countsOf = async (product: Product) => {
  const [counts] = await product.query<{ invoices: number; transfers: number }>(
    'SELECT (SELECT count(*)::int FROM invoice) AS invoices, (SELECT count(*)::int FROM deposit_credit) AS transfers',
  )
  return counts
}

export async function runInvoices({ say }: { readonly say: (line: string) => void }) {
  const product = await openInvoiceProduct()
  const faults: string[] = []
  const members = new Map<Scenario, Member>()
  /** What never got there may have left something frozen or held, and an invoice open: the next kill finds neither. */
  const beginAnew = async (scenario: Scenario, error: unknown) => {
    members.delete(scenario)
    await product.killAll()
    await product.start()
    return [String(error)]
  }
  try {
    for (const [place, kill] of KILLS.entries()) {
      const { scenario, moment, victim } = kill
      const began = performance.now()
      const member =
        members.get(scenario) ?? (await until('a member', () => newMember(product, `invoice${place}`)))
      members.set(scenario, member)
      const found = await killIn(product, member, kill).catch((error) => beginAnew(scenario, error))
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      const verdict = found.length === 0 ? 'all well' : `WRONG: ${found.join('; ')}`
      const what = `${scenario.name}: ${moment.name}, ${victim} killed`
      say(`${place + 1} of ${KILLS.length}, ${what}; ${verdict}, ${seconds} s`)
      faults.push(...found.map((fault) => `${what}: ${fault}`))
    }
    faults.push(...(await auditInvoices(product)))
    return { kills: KILLS.length, ...(await countsOf(product)), faults }
  } finally {
    await product.remove()
  }
}
