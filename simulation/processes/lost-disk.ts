/**
 * The disk of the embedded database is lost in the middle of work: a backup was made before, the log is shipped as it is written. Members
 * ask for withdrawals, which are approved and paid, until every process is killed at once and the database's folder is gone. Restored
 * from the backup and the log, it has all that was answered until a second before; who was answered nothing asks again under the same
 * key; and nothing that had left is sent again.
 */
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withdrawal } from '@aval/contract'
import { until } from '../../tools/testing/until.ts'
import { type Member, newMember, type Operator } from './people.ts'
import { approve, newRequest, send, sendUntilAnswered, stateOf, type WithdrawalRequest } from './request.ts'
import { backUp, isRestored } from './restores.ts'
import { arrivalFaults, type Fixture, openFixture } from './withdrawals.ts'

const MEMBERS = 6
/** What may be missing of it was answered so long before the end, at most, in milliseconds. */
const LAST_SECOND_MS = 1_000

interface Asked {
  readonly request: WithdrawalRequest
  /** When it was answered, of this process's clock, and as which withdrawal; null where it was not. */
  readonly answered: { readonly at: number; readonly id: number } | null
}

interface Work {
  over: boolean
  readonly asked: Asked[]
}

/** A member who asks for one withdrawal after the other, each of another amount, and does not wait until they are paid. */
async function withdrawAgainAndAgain({ product, operator }: Fixture, member: Member, work: Work) {
  for (let count = 1; !work.over; count += 1) {
    const request = await newRequest(product, member, (20 + count / 100).toFixed(2)).catch(() => null)
    if (request === null) return
    const answer = await send(request).catch(() => null)
    const isMade = answer?.status === 201
    const id = isMade ? answer.as(withdrawal).id : 0
    work.asked.push({ request, answered: isMade ? { at: performance.now(), id } : null })
    if (isMade) await approveWhileItWorks(operator, id, work)
  }
}

/** An operator; what fails because everything is gone is approved afterwards. */
async function approveWhileItWorks(operator: Operator, id: number, work: Work): Promise<void> {
  await operator.approve([id]).catch((error: unknown) => {
    if (!work.over) throw error
  })
}

async function paidOf({ product }: Fixture): Promise<number> {
  const paid = await product.query("SELECT FROM withdrawal WHERE state = 'completed'")
  return paid.length
}

/** What was answered and is not there any more. */
async function missingOf({ product }: Fixture, { asked }: Work) {
  const there = await product.query<{ id: string; member: string; amount: string }>(
    'SELECT id, member_id AS member, amount::text FROM withdrawal',
  )
  const known = new Set(there.map(({ id, member, amount }) => `${id} ${member} ${amount}`))
  const nameOf = (id: number, { member, amount }: WithdrawalRequest) =>
    `${id} ${member.id} ${BigInt(amount.replace('.', '')) * 10_000n}`
  return asked.filter(
    ({ answered, request }) => answered !== null && !known.has(nameOf(answered.id, request)),
  )
}

/** Under the same key. Where the code is lost as well, as nobody was answered, for the same amount with another one. */
async function askAgain({ product }: Fixture, request: WithdrawalRequest): Promise<number> {
  const answer = await send(request)
  if (answer.status === 201) return answer.as(withdrawal).id
  return sendUntilAnswered(await newRequest(product, request.member, request.amount))
}

export async function loseDisk(
  fixture: Fixture,
  folder: string,
  { rounds, say }: { readonly rounds: number; readonly say: (line: string) => void },
): Promise<readonly string[]> {
  const { product, operator } = fixture
  const members: Member[] = []
  for (let count = 1; count <= MEMBERS; count += 1) members.push(await newMember(product, `pierde${count}`))
  await backUp(product, folder, 'take')
  say('backed up')
  const work: Work = { over: false, asked: [] }
  const working = members.map((member) => withdrawAgainAndAgain(fixture, member, work))
  while ((await paidOf(fixture)) < rounds * MEMBERS) await pause(250)
  work.over = true
  await product.killAll()
  const lostAt = performance.now()
  await Promise.all(working)
  await rename(join(product.dataDir, 'postgres'), join(product.dataDir, 'postgres.lost'))
  const answered = work.asked.filter((each) => each.answered !== null)
  say(`${answered.length} requests were answered, and the disk is lost`)
  const began = performance.now()
  await backUp(product, folder, 'restore')
  await product.start()
  const missing = await missingOf(fixture, work)
  const ages = missing.map((each) => lostAt - (each.answered?.at ?? 0))
  say(
    `restored in ${((performance.now() - began) / 1000).toFixed(1)} s; ${missing.length} answers of the last ${Math.max(
      0,
      ...ages,
    ).toFixed(0)} ms are missing`,
  )
  await isRestored(product)
  for (const { request } of work.asked) {
    const id = await askAgain(fixture, request)
    await approve(product, operator, id)
    await until(`withdrawal ${id} to be completed`, async () => (await stateOf(product, id)) === 'completed')
  }
  const faults = ages.some((age) => age > LAST_SECOND_MS)
    ? [`answers of ${Math.max(...ages)} ms before are missing`]
    : []
  for (const member of members) {
    const expected = work.asked.filter(({ request }) => request.member === member).length
    faults.push(...(await arrivalFaults(fixture, member, expected)))
  }
  return faults
}

export async function runLostDisk(options: {
  readonly rounds: number
  readonly say: (line: string) => void
}): Promise<{ readonly faults: readonly string[] }> {
  const place = await mkdtemp(join(tmpdir(), 'aval-lost-disk-'))
  const folder = join(place, 'backups')
  const fixture = await openFixture({ TRANSFER_SECONDS: '20', BACKUP_DIR: folder })
  try {
    return { faults: await loseDisk(fixture, folder, options) }
  } finally {
    await fixture.product.remove()
    await rm(place, { recursive: true, force: true })
  }
}
