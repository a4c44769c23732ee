/**
 * A backup is made, money goes out, the database is lost and the backup restored, while the chain and the signer's journal stay what
 * they are. What went out since must be found and booked, and none of it be sent again.
 *
 * Three withdrawals: asked for before the backup, approved before it and not on its way yet, and wholly after it. Sweeps go on meanwhile.
 */

import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Product } from '../../tools/testing/product.ts'
import { until } from '../../tools/testing/until.ts'
import { type Member, newMember } from './people.ts'
import { approve, newRequest, sendUntilAnswered, stateOf } from './request.ts'
import { arrivalFaults, type Fixture, openFixture } from './withdrawals.ts'

interface Options {
  readonly say: (line: string) => void
}

/** Transfers live short, so that the restore is over soon. */
const SETTINGS = { SWEEP_FROM: '100', TRANSFER_SECONDS: '20' }

const isCompleted = (product: Product, id: number) =>
  until(`withdrawal ${id} to be completed`, async () => (await stateOf(product, id)) === 'completed')

const ask = async (product: Product, member: Member, amount: string): Promise<number> =>
  sendUntilAnswered(await newRequest(product, member, amount))

/** @throws with what the command said, when it failed */
export async function backUp(product: Product, folder: string, command: 'take' | 'restore'): Promise<void> {
  const { code, output } = await product.backup(command, folder)
  if (code !== 0) throw new Error(`${command}: ${output}`)
}

/** @returns what is wrong afterwards */
export async function restoreAfterPayments({ product, operator }: Fixture, folder: string, { say }: Options) {
  const member = await newMember(product, 'restaura')
  const asked = await ask(product, member, '20.01')
  const approved = await ask(product, member, '20.02')
  const thaw = await product.freeze('gateway')
  await approve(product, operator, approved)
  await until('its approval to count', async () => (await stateOf(product, approved)) === 'approved')
  await backUp(product, folder, 'take')
  await thaw()
  say('backed up')
  await approve(product, operator, asked)
  const later = await ask(product, member, '20.03')
  await approve(product, operator, later)
  for (const id of [asked, approved, later]) await isCompleted(product, id)
  await newMember(product, 'despues')
  say('three withdrawals went out, and the database is lost')
  await product.killAll()
  await rename(join(product.dataDir, 'postgres'), join(product.dataDir, 'postgres.lost'))
  await backUp(product, folder, 'restore')
  await product.start()
  say('restored')
  return [...(await caughtUp(product, say)), ...(await goesOn({ product, operator }, member))]
}

/** Waits until what left since is booked, and payments go on. */
export async function isRestored(product: Product): Promise<void> {
  await until('the chain to be read', async () => {
    const read = await product.query(
      'SELECT FROM restoration r, chain_cursor c WHERE c.scanned_at > r.read_until',
    )
    return read.length > 0
  })
  await until('the end of the restoration', async () => {
    const open = await product.query('SELECT FROM payout_stop WHERE stopped')
    return open.length === 0
  })
}

async function caughtUp(product: Product, say: Options['say']): Promise<readonly string[]> {
  const isStopped = await product.query('SELECT FROM payout_stop WHERE stopped')
  const began = await product.query('SELECT FROM restoration')
  if (isStopped.length === 0 && began.length === 1) say('the restore was over before it could be looked at')
  await isRestored(product)
  const adopted = await product.query<{ purpose: string }>(
    'SELECT purpose FROM adopted_transfer JOIN outgoing_transfer USING (txid)',
  )
  const withdrawals = adopted.filter(({ purpose }) => purpose === 'withdrawal').length
  say(`${withdrawals} withdrawals and ${adopted.length - withdrawals} moves of our own were booked`)
  return withdrawals === 3 ? [] : [`${withdrawals} of 3 withdrawals were found`]
}

/** Another one goes out, and the member got each once. */
async function goesOn({ product, operator }: Fixture, member: Member): Promise<readonly string[]> {
  const id = await ask(product, member, '20.04')
  await approve(product, operator, id)
  await isCompleted(product, id)
  const open = await product.query("SELECT FROM withdrawal WHERE state <> 'completed'")
  return [
    ...(open.length === 0 ? [] : [`${open.length} withdrawals are not completed`]),
    ...(await arrivalFaults({ product, operator }, member, 4)),
  ]
}

export async function runRestore(options: Options): Promise<{ readonly faults: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'aval-restores-'))
  const fixture = await openFixture(SETTINGS)
  try {
    return { faults: await restoreAfterPayments(fixture, join(folder, 'backups'), options) }
  } finally {
    await fixture.product.remove()
    await rm(folder, { recursive: true, force: true })
  }
}
