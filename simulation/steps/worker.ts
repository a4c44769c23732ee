/** The worker: jobs are taken one by one, in the order in which they were added, and stay when their doer dies. */
import type { Lifetime } from '../../apps/gateway/src/testing/crashes.ts'
import { jobHandlers } from '../../apps/server/src/worker.ts'
import type { World } from '../world.ts'

interface Job {
  readonly id: string
  readonly task: string
  readonly payload: unknown
}

/** Mail leaves this world through no server; payout runs have a simulation of their own. */
const TASKS = [
  'custody.book_opening',
  'outgoing_transfers.settle',
  'outgoing_transfers.catch_up',
  'deposits.credit',
  'deposits.catch_up',
  'reserves.check',
]

async function waiting(world: World): Promise<Job[]> {
  const { rows } = await world.owner.query<Job>(
    `SELECT j.id, t.identifier AS task, j.payload FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = ANY($1) ORDER BY j.id`,
    [TASKS],
  )
  return rows
}

async function doJob(world: World, life: Lifetime, task: string, payload: unknown): Promise<void> {
  const handler = jobHandlers(world.server(life), world.now)[task]
  if (handler === undefined) throw new Error(`nobody does ${task}`)
  await handler(payload, { logger: { warn: () => undefined } } as never)
}

/** Does a job of those that wait, any of them; again sometimes, as if its end had not been noted. */
export async function doSome(world: World, life: Lifetime): Promise<string> {
  const jobs = await waiting(world)
  const job = jobs[world.chance.below(Math.max(jobs.length, 1))]
  const again = world.chance.happens(0.1)
  if (job === undefined) return 'no job'
  await doJob(world, life, job.task, job.payload)
  if (!again) await world.owner.query('DELETE FROM graphile_worker._private_jobs WHERE id = $1', [job.id])
  return `job ${job.task}`
}

/** Everything that waits, and the sweeps that find what was lost. */
export async function doAll(world: World, life: Lifetime): Promise<void> {
  for (const job of await waiting(world)) {
    await doJob(world, life, job.task, job.payload)
    await world.owner.query('DELETE FROM graphile_worker._private_jobs WHERE id = $1', [job.id])
  }
  await doJob(world, life, 'deposits.catch_up', {})
  await doJob(world, life, 'investments.expire', {})
  await doJob(world, life, 'outgoing_transfers.catch_up', {})
  await doJob(world, life, 'reserves.check', {})
}

/** Jobs can be lost altogether; the rows remain. */
export async function loseJobs(world: World): Promise<string> {
  const { rowCount } = await world.owner.query('DELETE FROM graphile_worker._private_jobs')
  return `${rowCount} jobs are lost`
}
