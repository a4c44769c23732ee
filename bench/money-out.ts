/**
 * Withdrawals that are all approved at once, paid by the gateway and the signer as the processes they are, on a development
 * chain that makes a block a second. Nobody books them meanwhile, so that all of them stay on the gateway's list.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  accountXpub,
  addressFromHex,
  createNodeClient,
  DEVNET,
  devnetAddress,
  encodeAddressWord,
  type NodeClient,
} from '@aval/tron'
import pg from 'pg'
import {
  approveWithdrawals,
  auditPayments,
  handOverTimes,
  installChain,
  type Progress,
  progressOf,
} from './chain.sql.ts'
import type { ChainOptions } from './chain-options.ts'
import {
  askDevnet,
  DEVNET_PROGRAM,
  GATEWAY_PROGRAM,
  makeDevnetKeys,
  SIGNER_PROGRAM,
  startProgram,
} from './chain-processes.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { msSince, spreadOf, tenth } from './timing.ts'

const AMOUNT = 21_000_000n
const ARRIVES = 20_000_000n
const SINGLES = 20
const LIMIT_MS = 3_600_000

export interface MoneyOutResult {
  readonly withdrawals: number
  readonly nodes: number
  /** From the approval of all to the last one's solid block, read. */
  readonly seconds: number
  readonly perSecond: number
  /** Payments that died and had to be made again. */
  readonly dead: number
  /** From the approval of a single one to its first hand-over. */
  readonly handOverMs: { readonly p50: number; readonly p99: number; readonly slowest: number }
  readonly cores: number
  readonly loadAverage: number
}

export async function runMoneyOut(
  options: ChainOptions,
  tell: (line: string) => void,
): Promise<MoneyOutResult> {
  const loadAverage = tenth(loadavg()[0] ?? 0)
  const folder = await mkdtemp(join(tmpdir(), 'aval-money-out-'))
  const cluster = await openCluster(options)
  const owner = new pg.Pool({ connectionString: cluster.ownerUrl, max: 2 })
  owner.on('error', () => undefined)
  const programs: { stop(): Promise<void> }[] = []
  try {
    const node = await startAll(options, folder, cluster, owner, programs)
    const before = await hotBalance(node)
    const { withdrawals } = options
    await approveWithdrawals(owner, walletsFrom(0, withdrawals), AMOUNT)
    const begun = performance.now()
    const { dead } = await settled(owner, withdrawals, tell)
    const seconds = msSince(begun) / 1_000
    for (let single = 0; single < SINGLES; single += 1) {
      await approveWithdrawals(owner, walletsFrom(withdrawals + single, 1), AMOUNT)
      await settled(owner, withdrawals + single + 1, () => undefined)
    }
    await audit(owner, before - (await hotBalance(node)), withdrawals + SINGLES)
    const { p50, p99, slowest } = spreadOf(await handOverTimes(owner, SINGLES))
    return {
      withdrawals,
      nodes: options.nodes,
      seconds: tenth(seconds),
      perSecond: tenth(withdrawals / seconds),
      dead,
      handOverMs: { p50, p99, slowest },
      cores: availableParallelism(),
      loadAverage,
    }
  } finally {
    for (const program of programs.toReversed()) await program.stop()
    await owner.end()
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startAll(
  options: ChainOptions,
  folder: string,
  cluster: Cluster,
  owner: pg.Pool,
  programs: { stop(): Promise<void> }[],
): Promise<NodeClient> {
  const url = `http://127.0.0.1:${options.port}`
  const passphrase = 'of a benchmark'
  const [keys, socket] = [join(folder, 'signer.json'), join(folder, 'private', 'signer.sock')]
  await installChain(owner, DEVNET.usdt, accountXpub(DEVNET.mnemonic), [])
  programs.push(
    await startProgram(DEVNET_PROGRAM, {
      DATA_DIR: folder,
      DEVNET_PORT: String(options.port),
      DEVNET_NODES: String(options.nodes),
      DEVNET_BLOCK_MS: '1000',
      DEVNET_SOLID_LAG: '3',
    }),
  )
  const hot = { address: devnetAddress('hotWallet'), usdt: '10000000', trx: '10000000' }
  await askDevnet(url, '/dev/faucet', hot)
  await askDevnet(url, '/dev/mine', { solidify: true })
  await makeDevnetKeys(keys, passphrase)
  const common = { TRON_NETWORK: 'devnet', SIGNER_SOCKET: socket }
  const signer = { SIGNER_KEYS: keys, SIGNER_PASSPHRASE: passphrase, SIGNER_DAILY_CAP: '999999999' }
  programs.push(await startProgram(SIGNER_PROGRAM, { ...common, ...signer, DATABASE_URL: cluster.signerUrl }))
  const nodes = Array.from({ length: options.nodes }, (_, n) => `http://127.0.0.1:${options.port + n}`)
  programs.push(
    await startProgram(GATEWAY_PROGRAM, {
      ...common,
      TRON_NODES: nodes.join(','),
      // It keeps what it has: nothing else leaves it meanwhile.
      HOT_MAXIMUM: '999999999',
      DATABASE_URL: cluster.gatewayUrl,
    }),
  )
  return createNodeClient({ url, timeoutMs: 10_000 })
}

/** A wallet each; to be paid nowhere else. */
function walletsFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    addressFromHex((0x77_0000_0000 + first + index).toString(16).padStart(40, '5')),
  )
}

async function settled(owner: pg.Pool, count: number, tell: (line: string) => void): Promise<Progress> {
  const begun = performance.now()
  let told = 0
  for (;;) {
    const progress = await progressOf(owner)
    if (progress.settled + progress.failed >= count) return progress
    if (msSince(begun) > LIMIT_MS) throw new Error(`only ${progress.settled} of ${count} were settled`)
    const tenths = Math.floor((10 * progress.settled) / count)
    if (tenths > told) tell(`${progress.settled} settled after ${Math.round(msSince(begun) / 1_000)} s`)
    told = tenths
    await sleep(200)
  }
}

async function hotBalance(node: NodeClient): Promise<bigint> {
  const { result } = await node.constantCall(
    DEVNET.usdt,
    'balanceOf(address)',
    encodeAddressWord(devnetAddress('hotWallet')),
  )
  return BigInt(`0x${result}`)
}

/** The wallet paid exactly what the books say, and nobody twice. */
async function audit(owner: pg.Pool, spent: bigint, count: number): Promise<void> {
  const { arrived, doubled } = await auditPayments(owner)
  const due = BigInt(count) * ARRIVES
  if (arrived === due && spent === due && doubled === 0) return
  throw new Error(`${due} were due, ${arrived} are settled, ${spent} have left, ${doubled} are doubled`)
}
