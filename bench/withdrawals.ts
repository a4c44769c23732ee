/**
 * `npm run bench -- withdrawals`: money out at size. The product's own processes on a throw-away PostgreSQL and a
 * development chain as `npm start` makes it; this process asks, looks and counts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { devnetAddress } from '@aval/tron'
import type pg from 'pg'
import { checkReserves } from '../apps/server/src/features/reserves/check.commands.ts'
import { checkLedger } from '../apps/server/src/ledger/check.ts'
import { pinApprover } from '../tools/testing/approver.ts'
import { freePort } from '../tools/testing/free-port.ts'
import { type Catchup, measureCatchup } from './catchup.ts'
import { openCluster } from './cluster.ts'
import { analyse, asOwner } from './database.sql.ts'
import { msSince, peakRssMb } from './measures.ts'
import type { PayoutsOptions } from './options.ts'
import { askDevnet } from './processes.ts'
import {
  columnsOf,
  count,
  type Machine,
  machineLine,
  machineNow,
  type Outcome,
  spread,
  stagesOf,
  type Tell,
} from './report.ts'
import { selectWrongs } from './withdrawals.sql.ts'
import { allSolid, type Payment, payAll } from './withdrawals-chain.ts'
import {
  allCompleted,
  measurePage,
  measureRoundTrip,
  measureSubmits,
  settleAll,
} from './withdrawals-measures.ts'
import { allCredited, askAll, makeMembers, makeOperator, type Person } from './withdrawals-members.ts'
import { choosePlace, type Place, type Product, startChainOf, startProduct } from './withdrawals-product.ts'

const FEW = 10
const SAMPLES = 20
/** More than a transfer burns on the development chain, in TRX. */
const TRX_A_TRANSFER = 10
/** Blocks of the chain that the gateway catches up with. */
const BLOCKS = { least: 1_000, most: 20_000 } as const
const MATCHED_WITHIN_MS = 120_000

/** The deposits are the chain's floor at the same time: bare transfers, as many as withdrawals later. */
async function payIn(place: Place, hot: Payment, deposits: readonly Payment[]) {
  const chain = await startChainOf(place)
  try {
    await payAll(place.devnetUrl, [hot])
    const trx = String(TRX_A_TRANSFER * (1 + deposits.length))
    await askDevnet(place.devnetUrl, '/dev/faucet', { address: devnetAddress('hotWallet'), trx })
    await allSolid(place.devnetUrl)
    return await payAll(place.devnetUrl, deposits)
  } finally {
    await chain.stop()
  }
}

/** Readings come in every few seconds; one that is older than the last transfer says nothing yet. */
async function reserveFaults({ context }: Product): Promise<string[]> {
  const begun = performance.now()
  for (;;) {
    const { verdict, drift } = await checkReserves(context.db, new Date())
    if (verdict === 'matched') return []
    if (msSince(begun) > MATCHED_WITHIN_MS) return [`the reserves are ${verdict}, ${drift} micro-USDT apart`]
    await pause(500)
  }
}

async function faultsOf(product: Product, owner: pg.Client): Promise<string[]> {
  const { faults } = await checkLedger(product.context.db)
  return [...faults, ...(await selectWrongs(owner)), ...(await reserveFaults(product))]
}

async function live(
  product: Product,
  dataDir: string,
  owner: pg.Client,
  people: readonly Person[],
  tell: Tell,
) {
  tell('deposits are read and credited')
  const creditingMs = await allCredited(owner, people.length)
  const operatorId = await makeOperator(product, owner)
  const approver = await pinApprover(dataDir, operatorId, 'olga')
  tell(`the queue with ${FEW} withdrawals`)
  await askAll(product, people.slice(0, FEW))
  const few = await measurePage(product, operatorId)
  tell('everybody asks for a withdrawal')
  const askingMs = await askAll(product, people.slice(FEW))
  await analyse(owner)
  tell('the queue with all of them')
  const roundTrip = await measureRoundTrip(owner)
  const all = await product.whileTheWorkerRests(() => measurePage(product, operatorId))
  tell('all are approved and paid')
  const settling = await settleAll(product, owner, approver, tell)
  tell('withdrawals one by one')
  const submitted = await measureSubmits(product, owner, approver, people.slice(0, SAMPLES))
  await allCompleted(owner, SAMPLES, tell)
  tell('the check of ledger and reserves')
  const faults = await faultsOf(product, owner)
  const rssMb = { ...(await product.memory()), benchmark: peakRssMb() }
  return {
    creditingMs,
    askingMs,
    queueMs: { all, few, select_1: roundTrip },
    settling,
    ...submitted,
    rssMb,
    faults,
  }
}

/** The gateway reads a chain of its own, while nothing else runs. */
async function readOn({ open, folder }: PayoutsOptions, tell: Tell): Promise<Catchup> {
  const blocks = Math.min(BLOCKS.most, Math.max(BLOCKS.least, 2 * open))
  const own = { folder, keep: false, databaseUrl: undefined }
  return measureCatchup({ ...own, blocks, nodes: 1, port: await freePort() }, tell)
}

async function measure(options: PayoutsOptions, members: number, tell: Tell) {
  const { folder, open, seed } = options
  const cluster = await openCluster(options)
  const stage = stagesOf(tell)
  try {
    tell(`PostgreSQL is in ${cluster.place}; the members go in:`)
    const made = await makeMembers(cluster, members, seed, tell)
    const place = await choosePlace(folder, cluster.ownerUrl)
    stage('they pay in, on a chain with nothing beside it')
    const floor = await payIn(place, made.hot, made.deposits.slice(0, open))
    const { settling, ...lived } = await asOwner(cluster.ownerUrl, async (owner) => {
      const product = await startProduct(place, owner)
      return live(product, place.config.dataDir, owner, made.people.slice(0, open), stage).finally(() =>
        product.stop(),
      )
    })
    await cluster.stop()
    stage('the gateway catches up')
    const catchUp = await readOn(options, stage)
    stage('done')
    const ratio = settling.ms.completed / settling.withdrawals / (floor.ms / floor.transfers)
    return { ...lived, settling: { ...settling, floor, ratio }, catchUp }
  } finally {
    await cluster.stop()
  }
}

export async function runWithdrawals(options: PayoutsOptions, tell: Tell): Promise<Outcome> {
  const { open, seed } = options
  const members = Math.max(open, options.members)
  const machine = machineNow(tell)
  const measured = await measure(options, members, tell)
  const figures = { benchmark: 'withdrawals', open, members, seed, ...machine, ...measured }
  return { table: tableOf(figures), figures, failed: measured.faults.length > 0 }
}

type Figures = Awaited<ReturnType<typeof measure>> & Machine & { readonly members: number }

const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`
const list = (values: Readonly<Record<string, number>>, write: (value: number) => string) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${write(value)}`)
    .join(', ')

function tableOf(figures: Figures): string {
  const { members, queueMs, settling, submitMs, codeMs, catchUp, rssMb, faults } = figures
  return columnsOf([
    ['members', `${count(members)}; ${machineLine(figures)}`],
    ['deposits', `${count(settling.floor.transfers)} read and credited in ${seconds(figures.creditingMs)}`],
    ['asking', `${seconds(figures.askingMs)}, six at a time`],
    [`queue, ${count(queueMs.all.open)} open`, spread(queueMs.all.first)],
    ['  its last page', spread(queueMs.all.last)],
    [`queue, ${count(queueMs.few.open)} open`, spread(queueMs.few.first)],
    ['SELECT 1', spread(queueMs.select_1)],
    ...settlingLines(settling),
    ['submit to hand-over', spread(submitMs.handedOver)],
    ['  the answer before', spread(submitMs.answer)],
    ['code by mail', spread(codeMs)],
    [
      'catching up',
      `${count(catchUp.blocksPerSecond)} blocks a second, over ${count(catchUp.blocks)} with ${count(catchUp.payments)} payments to us`,
    ],
    ['floor, fetching', `${count(catchUp.baselineBlocksPerSecond)} blocks a second`],
    ['catching up / floor', `${catchUp.ratio.toFixed(2)}×`],
    ['memory at most', list(rssMb, (mb) => `${count(mb)} MB`)],
    ['ledger, reserves', faults.length === 0 ? 'clean, matched' : faults.join('; ')],
  ])
}

function settlingLines({ ms, mail, floor, ...settling }: Figures['settling']): string[][] {
  const { prepared, signed, settled, completed } = ms
  return [
    ['approving', `${seconds(settling.approvingMs)} for one approval of all of them`],
    [
      'settling',
      `${count(settling.withdrawals)} completed in ${seconds(completed)}: ${settling.perSecond.toFixed(0)} a second`,
    ],
    ['  the last one', list({ prepared, signed, 'in the solid chain': settled }, seconds)],
    [
      'floor, chain',
      `${count(floor.transfers)} bare transfers solid in ${seconds(floor.ms)}: ${floor.perSecond.toFixed(0)} a second (signing ${seconds(floor.signingMs)})`,
    ],
    ['settling / floor', `${settling.ratio.toFixed(2)}×`],
    ['processors meanwhile', list(settling.processorS, (used) => `${used.toFixed(1)} s`)],
    ['in vain', `${count(settling.inVain)} transfers`],
    ['mail meanwhile', `${count(mail.sent)} sent, ${count(mail.queued)} still to send`],
  ]
}
