/**
 * Kills a process (SIGKILL) at every moment of a withdrawal, from the request to the last mail, and audits after each kill
 * whether the chain has exactly one transfer of it, the books are clean, and the member was mailed once.
 */
import { withdrawal } from '@aval/contract'
import { decodeRaw } from '@aval/tron'
import { inMail, mailTo } from '../../tools/testing/client.ts'
import { createProduct, PROCESSES, type ProcessName, type Product } from '../../tools/testing/product.ts'
import { until } from '../../tools/testing/until.ts'
import { audit, type TransferOnChain } from './audit.ts'
import { MOMENTS, type Moment } from './moments.ts'
import { fillHotWallet, type Member, newMember, newOperator, type Operator } from './people.ts'
import {
  approve,
  newRequest,
  type OutgoingTransfer,
  sendUntilAnswered,
  stateOf,
  transfersOf,
  type WithdrawalRequest,
} from './request.ts'

export interface Fixture {
  readonly product: Product
  readonly operator: Operator
}

/** What a withdrawal of any size costs, in micro-USDT. */
const FEE = 1_000_000n
const microOf = (amount: string) => BigInt(amount.replace('.', '')) * 10_000n

/** The product runs, the hot wallet is full, and there is an operator. The chain makes five blocks a second, and no sweeps. */
export async function openFixture(settings: Readonly<Record<string, string>> = {}): Promise<Fixture> {
  const product = await createProduct({
    DEMO: 'off',
    DEVNET_BLOCK_MS: '200',
    DEVNET_SOLID_LAG: '2',
    COOLING_HOURS: '0',
    SWEEP_FROM: '999999999',
    ...settings,
  })
  try {
    await product.start()
    const [operator] = await Promise.all([newOperator(product, 'rosa'), fillHotWallet(product)])
    return { product, operator }
  } catch (error) {
    await product.remove()
    throw error
  }
}

/**
 * Brings a withdrawal to a moment, kills a process, and repeats the request and its approval.
 * @returns all that is wrong afterwards
 */
export async function killAt(
  { product, operator }: Fixture,
  moment: Moment,
  victim: ProcessName,
  { member, amount }: { readonly member: Member; readonly amount: string },
): Promise<readonly string[]> {
  const request = await newRequest(product, member, amount)
  const release = await moment.reach(product, request, operator)
  await product.kill(victim)
  await release()
  const id = await sendUntilAnswered(request)
  await approve(product, operator, id)
  await until('its completion and its mail', async () => {
    const sent = await product.query("SELECT FROM mail_message WHERE event = $1 AND state = 'sent'", [
      `withdrawal:${id}:completed`,
    ])
    return sent.length > 0 && (await stateOf(product, id)) === 'completed'
  })
  return audit(product, (transfers) => requestFaults(product, request, id, transfers))
}

async function requestFaults(
  product: Product,
  { member, amount }: WithdrawalRequest,
  id: number,
  onChain: readonly TransferOnChain[],
): Promise<string[]> {
  const transfers = await transfersOf(product, id)
  const faults = overlaps(transfers)
  const [settled, ...others] = transfers.filter(({ state }) => state !== 'expired')
  if (settled?.state !== 'settled' || others.length > 0)
    faults.push(`its transfers are ${transfers.map(({ state }) => state).join()}`)

  const net = microOf(amount) - FEE
  const arrived = onChain.filter(({ to, value }) => to === member.wallet && BigInt(value) === net)
  if (arrived.length !== 1 || arrived[0]?.txid !== settled?.txid)
    faults.push(`the chain has ${arrived.length} transfers of it: ${arrived.map(({ txid }) => txid).join()}`)

  const made = await product.query('SELECT FROM withdrawal WHERE member_id = $1 AND amount = $2', [
    member.id,
    String(microOf(amount)),
  ])
  if (made.length !== 1) faults.push(`the request made ${made.length} withdrawals`)

  const mails = (await mailTo(product, member.email)).filter(
    ({ subject }) => subject.includes(inMail(amount)) && subject.includes('está en tu billetera'),
  )
  if (mails.length !== 1) faults.push(`${mails.length} mails say that it arrived`)

  const client = await member.client()
  const shown = (await client.get(`withdrawals/withdrawals/${id}/`)).as(withdrawal)
  if (shown.stage !== 'completed' || shown.txid !== settled?.txid)
    faults.push(`the member is shown ${shown.stage}, ${shown.txid}`)
  return faults
}

/** Two that could both have arrived: the later one was made while the earlier could still enter a block. */
function overlaps(transfers: readonly OutgoingTransfer[]): string[] {
  const lives = transfers.map(({ txid, raw }) => ({ txid, ...decodeRaw(raw) }))
  return lives.flatMap((later, place) =>
    lives
      .slice(0, place)
      .filter((earlier) => earlier.expiration >= later.timestamp)
      .map((earlier) => `${earlier.txid} and ${later.txid} could both have arrived`),
  )
}

/** More transfers to a member than withdrawals were asked for would be a late second one. */
export function arrivalFaults({ product }: Fixture, { wallet }: Member, expected: number) {
  return audit(product, async (transfers) => {
    const arrived = transfers.filter(({ to }) => to === wallet).length
    return arrived === expected ? [] : [`${expected} withdrawals, ${arrived} transfers`]
  })
}

/** A round is every moment with every process. */
export async function runWithdrawals(options: {
  readonly rounds: number
  readonly say: (line: string) => void
}): Promise<{ rounds: number; kills: number; faults: readonly string[] }> {
  const { rounds, say } = options
  const fixture = await openFixture()
  const faults: string[] = []
  const pairs = MOMENTS.flatMap((moment) => PROCESSES.map((victim) => ({ moment, victim })))
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const member = await newMember(fixture.product, `retira${round}`)
      for (const [place, { moment, victim }] of pairs.entries()) {
        const began = performance.now()
        const amount = (20 + (place + 1) / 100).toFixed(2)
        const found = await killAt(fixture, moment, victim, { member, amount })
        const seconds = ((performance.now() - began) / 1000).toFixed(1)
        const verdict = found.length === 0 ? 'all well' : `WRONG: ${found.join('; ')}`
        say(`round ${round}, ${moment.name}: ${victim} killed; ${verdict}, ${seconds} s`)
        faults.push(...found.map((fault) => `${moment.name}, ${victim}: ${fault}`))
      }
      faults.push(...(await arrivalFaults(fixture, member, pairs.length)))
    }
  } finally {
    await fixture.product.remove()
  }
  return { rounds, kills: rounds * pairs.length, faults }
}
