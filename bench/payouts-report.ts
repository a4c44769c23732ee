/** What a payout day came to, for people and for machines. */

import { type Spread, tenth } from './measures.ts'
import type { PayoutsResult } from './payouts.ts'
import type { Readings } from './readers.ts'
import { columnsOf, count, hundredth, machineLine, ms, rounded, spread } from './report.ts'

const floorTotal = ({ floor }: PayoutsResult) => floor.insertMs + floor.updateMs
const ratio = (result: PayoutsResult) => result.day.total / floorTotal(result)

function readingLines(
  name: string,
  { reads, deposits, skipped, failed, firstFailure }: Readings,
): string[][] {
  const troubles = [
    ...(skipped > 0 ? [`${count(skipped)} gave up waiting`] : []),
    ...(failed > 0 ? [`${count(failed)} failed, the first with ${firstFailure}`] : []),
  ]
  return [
    [
      `dashboards, ${name}`,
      `${count(reads.count)} reads: ${spread(reads)}${troubles.map((t) => `; ${t}`).join('')}`,
    ],
    [`deposits, ${name}`, `${count(deposits.count)} credited: ${spread(deposits)}`],
  ]
}

function feltLines({ felt }: PayoutsResult): string[][] {
  if (felt === null) return []
  const { idle, paying } = felt
  const times = (share: (spread: Spread) => number) => (share(paying.reads) / share(idle.reads)).toFixed(1)
  return [
    ...readingLines('idle', idle),
    ...readingLines('while paying', paying),
    ['dashboards, ratio', `median ${times(({ p50 }) => p50)}×, p99 ${times(({ p99 }) => p99)}×`],
  ]
}

function registrationLines({ registrations }: PayoutsResult): string[][] {
  if (registrations === null) return []
  return [
    ['registrations, random', spread(registrations.random)],
    ['registrations, deepest', spread(registrations.deepest)],
  ]
}

/** Two columns. */
export function tableOf(result: PayoutsResult): string {
  const { options, load, day, floor, faults } = result
  return columnsOf([
    [
      'network',
      `${count(options.members)} members, ${options.shape}${options.thin ? ', thin' : ''}; ${machineLine(result)}`,
    ],
    ['loaded', `${count(load.investments)} investments in ${ms(load.ms)}`],
    ['paid', `${count(result.postings)} postings from ${count(result.items)} items`],
    ['direct', ms(day.direct)],
    ['passive', ms(day.passive)],
    ['binary', ms(day.binary)],
    ['the day', `${ms(day.total)}: ${((day.total * 1000) / options.members).toFixed(2)} µs a member`],
    ['floor, insert', `${ms(floor.insertMs)} for ${count(floor.postings)} postings`],
    ['floor, update', `${ms(floor.updateMs)} for ${count(floor.balances)} balances`],
    ['day / floor', `${ratio(result).toFixed(2)}×`],
    ['memory', `${count(result.nodeRssMb)} MB at most in the paying process`],
    ...registrationLines(result),
    ...feltLines(result),
    ...(faults === null ? [] : [['ledger', faults.length === 0 ? 'clean' : faults.join('; ')]]),
  ])
}

const readingsJson = ({ reads, deposits, skipped, failed }: Readings) => ({
  reads: rounded(reads),
  deposits: rounded(deposits),
  skipped,
  failed,
})

/** One object, times in milliseconds. What was not measured is null. */
export function jsonOf(result: PayoutsResult): string {
  const { options, cores, loadAverage, load, day, floor, registrations, felt, faults } = result
  return JSON.stringify({
    benchmark: 'payouts',
    members: options.members,
    shape: options.shape,
    seed: options.seed,
    thin: options.thin,
    cores,
    load_average: tenth(loadAverage),
    load_ms: tenth(load.ms),
    floor_ms: {
      insert: tenth(floor.insertMs),
      update: tenth(floor.updateMs),
      total: tenth(floorTotal(result)),
    },
    day_ms: {
      direct: tenth(day.direct),
      passive: tenth(day.passive),
      binary: tenth(day.binary),
      total: tenth(day.total),
    },
    ratio: hundredth(ratio(result)),
    node_rss_mb: result.nodeRssMb,
    rows: { postings: result.postings, items: result.items, balances: floor.balances },
    per_member_us: hundredth((day.total * 1000) / options.members),
    registration_ms: registrations && {
      random: rounded(registrations.random),
      deepest: rounded(registrations.deepest),
      all: rounded(registrations.all),
    },
    readers_ms: felt && {
      idle: readingsJson(felt.idle),
      paying: readingsJson(felt.paying),
      ratio: {
        p50: hundredth(felt.paying.reads.p50 / felt.idle.reads.p50),
        p99: hundredth(felt.paying.reads.p99 / felt.idle.reads.p99),
      },
      child_rss_mb: felt.peakRssMb,
    },
    faults: faults?.length ?? null,
  })
}
