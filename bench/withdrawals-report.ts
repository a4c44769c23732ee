/** What money out came to, for people and for machines. */

import { type Spread, tenth } from './measures.ts'
import { columnsOf, count, hundredth, machineLine, rounded as roundedTo, spread } from './report.ts'
import type { WithdrawalsResult } from './withdrawals.ts'

const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`
/** So many in so many milliseconds, a second. */
const rate = (many: number, time: number) => (many * 1000) / time

const settlingRatio = ({ settling, floor }: WithdrawalsResult) =>
  settling.ms.completed / settling.withdrawals / (floor.ms / floor.transfers)

function settlingLines(result: WithdrawalsResult): string[][] {
  const { settling, floor } = result
  const { withdrawals, approvingMs, dead, mail, processors } = settling
  const { prepared, signed, settled, completed } = settling.ms
  const steps = { prepared, signed, 'in the solid chain': settled }
  const ways = Object.entries(steps).map(([name, at]) => `${name} ${seconds(at)}`)
  return [
    ['approving', `${seconds(approvingMs)} for one decision about all of them`],
    [
      'settling',
      `${count(withdrawals)} completed in ${seconds(completed)}: ${rate(withdrawals, completed).toFixed(0)} a second`,
    ],
    ['  the last one', ways.join(', ')],
    [
      'floor, chain',
      `${count(floor.transfers)} bare transfers solid in ${seconds(floor.ms)}: ${rate(floor.transfers, floor.ms).toFixed(0)} a second (signing ${seconds(floor.signingMs)})`,
    ],
    ['settling / floor', `${settlingRatio(result).toFixed(2)}×`],
    [
      'processors meanwhile',
      Object.entries(processors)
        .map(([name, used]) => `${name} ${used.toFixed(1)} s`)
        .join(', '),
    ],
    ['in vain', `${count(dead)} transfers`],
    ['mail meanwhile', `${count(mail.sent)} sent, ${count(mail.queued)} still to send`],
  ]
}

function catchUpLines({ catchUp }: WithdrawalsResult): string[][] {
  const { blocks, payments, blocksPerSecond, baselineBlocksPerSecond, ratio } = catchUp
  return [
    [
      'catching up',
      `${count(blocksPerSecond)} blocks a second, over ${count(blocks)} with ${count(payments)} payments to us`,
    ],
    ['floor, fetching', `${count(baselineBlocksPerSecond)} blocks a second`],
    ['catching up / floor', `${ratio.toFixed(2)}×`],
  ]
}

/** Two columns. */
export function tableOf(result: WithdrawalsResult): string {
  const { members, creditingMs, askingMs, roundTrip, pages, submitted } = result
  const { memory, faults, floor } = result
  const held = Object.entries(memory).map(([name, mb]) => `${name} ${count(mb)} MB`)
  return columnsOf([
    ['members', `${count(members)}; ${machineLine(result)}`],
    ['deposits', `${count(floor.transfers)} read and credited in ${seconds(creditingMs)}`],
    ['asking', `${seconds(askingMs)}, six at a time`],
    [`queue, ${count(pages.all.open)} open`, spread(pages.all.first)],
    ['  its last page', spread(pages.all.last)],
    [`queue, ${count(pages.few.open)} open`, spread(pages.few.first)],
    ['SELECT 1', spread(roundTrip)],
    ...settlingLines(result),
    ['submit to hand-over', spread(submitted.handedOver)],
    ['  the answer before', spread(submitted.answer)],
    ['code by mail', spread(submitted.code)],
    ...catchUpLines(result),
    ['memory at most', held.join(', ')],
    ['ledger, reserves', faults.length === 0 ? 'clean, matched' : faults.join('; ')],
  ])
}

const rounded = (times: Spread) => roundedTo(times, hundredth)

/** One object, times in milliseconds. */
export function jsonOf(result: WithdrawalsResult): string {
  const { options, members, cores, loadAverage, floor, pages, settling, submitted, catchUp } = result
  const { completed } = settling.ms
  const page = ({ open, first, last }: typeof pages.all) => ({
    open,
    first: rounded(first),
    last: rounded(last),
  })
  return JSON.stringify({
    benchmark: 'withdrawals',
    open: options.open,
    members,
    seed: options.seed,
    cores,
    load_average: tenth(loadAverage),
    crediting_ms: tenth(result.creditingMs),
    asking_ms: tenth(result.askingMs),
    queue_ms: { all: page(pages.all), few: page(pages.few), select_1: rounded(result.roundTrip) },
    settling: {
      withdrawals: settling.withdrawals,
      approving_ms: tenth(settling.approvingMs),
      ms: {
        prepared: settling.ms.prepared,
        signed: settling.ms.signed,
        settled: settling.ms.settled,
        completed,
      },
      per_second: tenth(rate(settling.withdrawals, completed)),
      in_vain: settling.dead,
      processor_s: Object.fromEntries(
        Object.entries(settling.processors).map(([name, used]) => [name, tenth(used)]),
      ),
      mail: settling.mail,
      floor: {
        transfers: floor.transfers,
        ms: tenth(floor.ms),
        signing_ms: tenth(floor.signingMs),
        per_second: tenth(rate(floor.transfers, floor.ms)),
      },
      ratio: hundredth(settlingRatio(result)),
    },
    submit_ms: { handed_over: rounded(submitted.handedOver), answer: rounded(submitted.answer) },
    code_ms: rounded(submitted.code),
    catch_up: {
      blocks: catchUp.blocks,
      payments: catchUp.payments,
      blocks_per_second: catchUp.blocksPerSecond,
      floor_blocks_per_second: catchUp.baselineBlocksPerSecond,
      ratio: catchUp.ratio,
    },
    rss_mb: result.memory,
    faults: result.faults.length,
  })
}
