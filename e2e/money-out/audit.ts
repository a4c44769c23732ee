/** What must be so once a withdrawal is through, asked from the chain, the database and the mailbox. */
import { withdrawal } from '@aval/contract'
import { decodeRaw } from '@aval/tron'
import { ledgerCheck, transfersOnChain } from '../kill-audit.ts'
import { type Errand, type PaymentRow, paymentsOf, stateOf } from './errand.ts'
import { lettersTo, type Member } from './people.ts'
import type { Scene } from './scene.ts'
import { until } from './waiting.ts'

/** @throws when it does not end as completed, with its mail sent */
async function waitUntilQuiet(scene: Scene, id: number): Promise<void> {
  await until('the end of it', async () => {
    const sent = await scene.query("SELECT FROM mail_message WHERE event = $1 AND state = 'sent'", [
      `withdrawal:${id}:completed`,
    ])
    return sent.length > 0 && (await stateOf(scene, id)) === 'completed'
  })
}

/** Everything that is wrong, in words; nothing when all is well. */
export async function auditErrand(scene: Scene, errand: Errand, id: number): Promise<string[]> {
  const { member, amount } = errand
  await waitUntilQuiet(scene, id)
  const payments = await paymentsOf(scene, id)
  const faults = [...overlaps(payments)]
  const [settled, ...others] = payments.filter(({ state }) => state !== 'expired')
  if (settled?.state !== 'settled' || others.length > 0)
    faults.push(`its transfers are ${payments.map(({ state }) => state).join()}`)

  const usdt = await tokenOf(scene)
  const arrives = BigInt(amount.replace('.', '')) * 10_000n - 1_000_000n
  const arrived = (await transfersOnChain(scene.product.devnetUrl, usdt)).filter(
    ({ to, value }) => to === member.wallet && BigInt(value) === arrives,
  )
  if (arrived.length !== 1 || arrived[0]?.txid !== settled?.txid)
    faults.push(`the chain has ${arrived.length} transfers of it: ${arrived.map(({ txid }) => txid).join()}`)

  const same = await scene.query<{ id: string }>(
    'SELECT id FROM withdrawal WHERE member_id = $1 AND amount = $2',
    [member.id, String(arrives + 1_000_000n)],
  )
  if (same.length !== 1) faults.push(`the request made ${same.length} withdrawals`)

  const told = (await lettersTo(scene.product, member.email)).filter(
    ({ subject }) => subject.includes(amount) && subject.includes('está en tu billetera'),
  )
  if (told.length !== 1) faults.push(`${told.length} messages say that it arrived`)

  const wire = await member.wire()
  const shown = (await wire.get(`withdrawals/withdrawals/${id}/`)).as(withdrawal)
  if (shown.stage !== 'completed' || shown.txid !== settled?.txid)
    faults.push(`the member is shown ${shown.stage}, ${shown.txid}`)

  const unclean = await ledgerCheck(scene.product.dataDir)
  return unclean === null ? faults : [...faults, unclean]
}

/** What reached a member's wallet, all in all; more than was asked for would be a late second transfer. */
export async function arrivals(scene: Scene, { wallet }: Member): Promise<number> {
  const transfers = await transfersOnChain(scene.product.devnetUrl, await tokenOf(scene))
  return transfers.filter(({ to }) => to === wallet).length
}

/** Two that could both have arrived: the later one was made while the earlier could still enter a block. */
function overlaps(payments: readonly PaymentRow[]): string[] {
  const lives = payments.map(({ txid, raw }) => ({ txid, ...decodeRaw(raw) }))
  return lives.flatMap((later, place) =>
    lives
      .slice(0, place)
      .filter((earlier) => earlier.expiration >= later.timestamp)
      .map((earlier) => `${earlier.txid} and ${later.txid} could both have arrived`),
  )
}

async function tokenOf(scene: Scene): Promise<string> {
  const answer = await fetch(`${scene.product.devnetUrl}/dev/status`)
  return ((await answer.json()) as { usdt: string }).usdt
}
