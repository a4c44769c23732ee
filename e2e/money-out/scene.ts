/** The product under test, and what is done to it from outside: to its processes, its database and its chain. */
import pg from 'pg'
import { createProduct, type Product } from '../product.ts'
import { until } from './waiting.ts'

/** By their names in `run.json`. */
export const VICTIMS = ['gateway', 'signer', 'worker', 'api', 'postgres'] as const
export type Victim = (typeof VICTIMS)[number]

/** The supervisor starts an embedded database again five times in one run. */
const DATABASE_KILLS_A_RUN = 4
/** Of the advisory lock that a closed gate is. */
const GATE = 90_210

/** What makes a transaction on withdrawals wait inside its COMMIT while the gate is closed. */
const GATE_SQL = `
  CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER pass_gate AFTER INSERT OR UPDATE ON withdrawal
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pass_gate();`

/** Something that is held, until it is let go. Letting go twice, or after its process died, does nothing. */
export type LetGo = () => Promise<void>

/** A lock of the owner's, on which the product's own sessions come to wait. */
export interface Barrier {
  /** Whether a session of this process waits there now. */
  holds(process: 'api' | 'worker'): Promise<boolean>
  readonly lift: LetGo
}

export interface Scene {
  readonly product: Product
  /** As the database's owner, over a connection of its own. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Stops a process where it stands (SIGSTOP). */
  freeze(name: Victim): Promise<LetGo>
  /** Ends a process where it stands (SIGKILL); the supervisor starts it again. */
  kill(name: Victim): Promise<void>
  /** Whoever writes to a withdrawal waits in the middle of its COMMIT. */
  closeGate(): Promise<Barrier>
  /** Whoever changes what this member owns waits before. */
  lockMember(memberId: string): Promise<Barrier>
  /** `POST /dev/<path>` of the development chain. */
  dev(path: string, body: object): Promise<void>
  /** Its solid block, and how many transactions wait for one. */
  chain(): Promise<{ readonly solid: number; readonly pending: number }>
}

/** On a chain of five blocks a second, without a demo, and without transfers but the members'. */
export async function openScene(): Promise<Scene> {
  const product = await createProduct({
    DEMO: 'off',
    DEVNET_BLOCK_MS: '200',
    DEVNET_SOLID_LAG: '2',
    COOLING_HOURS: '0',
    SWEEP_FROM: '999999999',
    SIGNER_DAILY_CAP: '999999999',
  })
  await product.start()
  const scene = sceneOf(product)
  await scene.query(GATE_SQL)
  return scene
}

export function sceneOf(product: Product): Scene {
  let databaseKills = 0
  const pidOf = (name: Victim) =>
    until(`a process ${name}`, async () => {
      const pid = (await product.run()).pids[name]
      return pid !== undefined && isAlive(pid) ? pid : null
    })
  return {
    product,
    query: (text, values) => asOwner(product, (owner) => rowsOf(owner, text, values)),
    async freeze(name) {
      const pid = await pidOf(name)
      process.kill(pid, 'SIGSTOP')
      return async () => {
        if (isAlive(pid)) process.kill(pid, 'SIGCONT')
      }
    },
    async kill(name) {
      if (name === 'postgres') databaseKills += 1
      const pid = await pidOf(name)
      process.kill(pid, 'SIGKILL')
      await until(`the end of ${name}`, async () => !isAlive(pid))
      if (databaseKills <= DATABASE_KILLS_A_RUN) return
      databaseKills = 0
      product.killAll()
      await product.start()
    },
    closeGate: () => barrierOf(product, `SELECT pg_advisory_lock(${GATE})`),
    lockMember: (memberId) =>
      barrierOf(product, 'BEGIN', 'SELECT FROM member WHERE id = $1 FOR NO KEY UPDATE', [memberId]),
    async dev(path, body) {
      const answer = await fetch(`${product.devnetUrl}/dev/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${await answer.text()}`)
    },
    async chain() {
      const answer = await fetch(`${product.devnetUrl}/dev/status`)
      return (await answer.json()) as { solid: number; pending: number }
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function ownerOf(product: Product): Promise<pg.Client> {
  const { databases } = await product.run()
  const owner = new pg.Client({ connectionString: databases.owner })
  owner.on('error', () => undefined) // it is killed on purpose
  await owner.connect()
  return owner
}

async function asOwner<Result>(
  product: Product,
  work: (owner: pg.Client) => Promise<Result>,
): Promise<Result> {
  const owner = await ownerOf(product)
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}

async function rowsOf<Row extends object>(owner: pg.Client, text: string, values: readonly unknown[] = []) {
  const { rows } = await owner.query<Row>(text, [...values])
  return rows
}

/** Holds what these statements lock, until it is lifted or the database dies. */
async function barrierOf(
  product: Product,
  ...[first, second, values]: [string, second?: string, values?: readonly unknown[]]
): Promise<Barrier> {
  const owner = await ownerOf(product)
  await owner.query(first)
  if (second !== undefined) await owner.query(second, [...(values ?? [])])
  const [mine] = await rowsOf<{ pid: number }>(owner, 'SELECT pg_backend_pid() AS pid')
  return {
    holds: (process) =>
      asOwner(product, async (other) => {
        const held = await rowsOf(
          other,
          'SELECT FROM pg_stat_activity WHERE application_name = $1 AND $2::int = any(pg_blocking_pids(pid))',
          [`aval-${process}`, mine?.pid],
        )
        return held.length > 0
      }),
    lift: () => owner.end().catch(() => undefined),
  }
}
