import { type OperatorReserves, type Reserves, withdrawalDue } from '@aval/contract'
import { formatAmount, formatMicro, type Micro, micro, parseMicro } from '@aval/money'
import type { Config } from '../../config.ts'
import { explorerUrl } from '../../core/explorer.ts'
import type { LastComparison, Overview, Watched } from './reserves.queries.ts'
import { coverage, type Verdict } from './reserves.rules.ts'

/** The page that shows an address; null where nobody runs an explorer. */
function addressUrl(config: Config, address: string | null): string | null {
  return address === null || config.explorerUrl === null ? null : `${config.explorerUrl}/address/${address}`
}

function verdictOf(
  { stopped, byReserves }: LastComparison['stop'],
  last: string | null,
): Reserves['verdict'] {
  if (byReserves) return 'unexplained'
  if (stopped) return 'paused'
  return last === null ? 'never' : (last as Verdict)
}

/** GET reserves/: while money is stopped the verdict says so, whatever the last comparison could see. */
export function presentReserves(config: Config, { check, stop, wallets }: LastComparison): Reserves {
  const custody = check === null ? 0n : check.hot + check.cold + check.deposits
  const covered = check === null ? null : coverage(custody, check.owed)
  return {
    checked_at: check?.at.toISOString() ?? null,
    verdict: verdictOf(stop, check?.verdict ?? null),
    custody: formatAmount(custody),
    in_flight: formatAmount(check?.in_flight ?? 0n),
    wallets: (['hot', 'cold', 'deposits'] as const).map((role) => {
      const address = role === 'deposits' ? null : wallets[role]
      return {
        role,
        address,
        explorer_url: addressUrl(config, address),
        amount: formatAmount(check?.[role] ?? 0n),
      }
    }),
    owed: {
      principal: formatAmount(check?.principal ?? 0n),
      balances: formatAmount(check?.balances ?? 0n),
      held: formatAmount(check?.held ?? 0n),
      pending: formatAmount(check?.pending ?? 0n),
      due: formatAmount(check?.due ?? 0n),
      total: formatAmount(check?.owed ?? 0n),
    },
    coverage: covered === null ? null : Number(covered) / 100,
  }
}

function presentCheck(check: Overview['checks'][number]): OperatorReserves['checks'][number] {
  return {
    id: Number(check.id),
    at: check.at.toISOString(),
    block: Number(check.block),
    verdict: check.verdict as Verdict,
    drift: formatAmount(check.drift),
    custody: formatAmount(check.hot + check.cold + check.deposits),
    in_flight: formatAmount(check.in_flight),
    owed: formatAmount(check.owed),
  }
}

/** GET operator/reserves/ */
export function presentOverview(config: Config, overview: Overview): OperatorReserves {
  const { stop, integrity, addresses, books, outflows, checks, costs } = overview
  return {
    stopped: stop.stopped,
    since: stop.since?.toISOString() ?? null,
    reason: stop.reason,
    integrity: {
      checked_at: integrity.checkedAt?.toISOString() ?? null,
      differences: [...integrity.differences],
    },
    addresses: addresses.map(({ address, role, usdt, trx, read_at, judgement }) => ({
      address,
      role,
      explorer_url: addressUrl(config, address),
      expected: formatMicro(judgement?.expected ?? micro(BigInt(usdt))),
      found: formatAmount(BigInt(usdt)),
      difference: formatMicro(judgement?.difference ?? micro(0n)),
      trx: formatAmount(trx),
      read_at: read_at.toISOString(),
      waits: judgement === null,
    })),
    books: books.map(({ wallet, holding, book, pending, remainder }) => ({
      wallet,
      holding: formatMicro(holding),
      book: formatMicro(book),
      pending: formatMicro(pending),
      difference: formatMicro(remainder),
    })),
    outflows: outflows.map((row) => ({
      txid: row.txid,
      from: row.from_address,
      to: row.to_address,
      value: formatAmount(BigInt(row.value)),
      date: row.block_at.toISOString(),
      explorer_url: explorerUrl(config, row.txid),
    })),
    checks: checks.map(presentCheck),
    costs: costs.map(({ purpose, transfers, sun }) => ({ purpose, transfers, trx: formatAmount(sun) })),
  }
}

/** A difference as it is written on the wire, signed; null for what no difference can be. */
export function readDifference(written: string): Micro | null {
  const size = parseMicro(written.replace(/^-/, ''))
  if (size === null) return null
  return micro(written.startsWith('-') ? -size : size)
}

/** The reserves among the metrics. */
export const WATCHED = [
  {
    name: 'aval_deposit_addresses_left',
    help: 'Deposit addresses that the signer derived and no member has claimed.',
  },
  {
    name: 'aval_reserves_drift_micro',
    help: 'What does not match, in micro-USDT, each difference by its size.',
  },
  { name: 'aval_reserves_stopped', help: '1 while money is stopped because the reserves do not match.' },
  {
    name: 'aval_reserves_checked_timestamp_seconds',
    help: 'When the chain and the books were compared last.',
  },
  {
    name: 'aval_integrity_differences',
    help: 'How much of the database is not what its migrations made of it. Above 0 money is stopped.',
  },
  {
    name: 'aval_integrity_checked_timestamp_seconds',
    help: 'When the database was compared with its migrations last.',
  },
  {
    name: 'aval_custody_micro',
    help: 'What the chain says the company holds, in micro-USDT.',
    label: 'wallet',
  },
  { name: 'aval_owed_micro', help: 'What is owed to members, in micro-USDT.' },
  { name: 'aval_withdrawals_open', help: 'Withdrawals neither paid nor closed.', label: 'state' },
  {
    name: 'aval_withdrawal_approved_timestamp_seconds',
    help: 'When the approved withdrawal that waits longest was approved. Absent while none waits.',
  },
  {
    name: 'aval_withdrawal_due_timestamp_seconds',
    help: 'By when the open withdrawal that waits longest is to have arrived. Absent while none waits.',
  },
  {
    name: 'aval_withdrawals_delayed',
    help: 'Approved withdrawals that wait, by what for. What delays all of them counts as one.',
    label: 'code',
  },
  { name: 'aval_payout_runs', help: 'Payout runs that have not ended.', label: 'state' },
  {
    name: 'aval_chain_read_timestamp_seconds',
    help: 'When the gateway read the chain last, whether or not there was anything new.',
  },
  { name: 'aval_chain_nodes', help: 'Nodes, by how the gateway finds them.', label: 'state' },
  {
    name: 'aval_node_calls',
    help: 'Calls to a node on this day, UTC. 0 again at midnight.',
    label: 'node',
  },
  {
    name: 'aval_node_budget_used_ratio',
    help: 'Which part of its calls of the day a node has had. Absent without a budget.',
    label: 'node',
  },
  {
    name: 'aval_addresses_out_of_energy',
    help: 'Addresses of ours whose last transfer ran out of energy: it burnt TRX and moved nothing.',
  },
  { name: 'aval_hot_wallet_trx_sun', help: 'What the hot wallet has for fees, in sun.' },
  { name: 'aval_chain_lag_blocks', help: 'Solid blocks still to be read.' },
  {
    name: 'aval_gateway_epoch',
    help: 'Which gateway leads, and in which epoch. It grows with each change.',
    label: 'gateway',
  },
  {
    name: 'aval_gateway_lease_timestamp_seconds',
    help: 'Until when a gateway leads if it says nothing more; 0 where it left.',
  },
] as const

const NODE_STATES = ['ok', 'away', 'rate_limited', 'over_budget', 'key_refused', 'other_network']

type Name = (typeof WATCHED)[number]['name']

const secondsOf = (at: Date | null): number | null => (at === null ? null : at.getTime() / 1000)

/** Metrics are doubles by nature: exact up to nine billion USDT. */
export function presentWatched(watched: Watched) {
  const { check, stopped, integrity, hotTrx, lag, open, oldest, asked, delays, runs, readAt } = watched
  const { gateway, epoch, leadsUntil, nodes, exhausted, unclaimed } = watched
  return {
    aval_reserves_drift_micro: check === null ? null : Number(check.drift),
    aval_reserves_stopped: stopped ? 1 : 0,
    aval_reserves_checked_timestamp_seconds: secondsOf(check?.at ?? null),
    aval_integrity_differences: integrity.checkedAt === null ? null : integrity.differences.length,
    aval_integrity_checked_timestamp_seconds: secondsOf(integrity.checkedAt),
    aval_custody_micro:
      check === null
        ? null
        : { hot: Number(check.hot), cold: Number(check.cold), deposits: Number(check.deposits) },
    aval_owed_micro: check === null ? null : Number(check.owed),
    aval_withdrawals_open: Object.fromEntries(open.map(({ state, count }) => [state, count])),
    aval_withdrawal_approved_timestamp_seconds: secondsOf(oldest),
    aval_withdrawal_due_timestamp_seconds: secondsOf(asked === null ? null : withdrawalDue(asked, asked).at),
    aval_withdrawals_delayed: delays,
    aval_payout_runs: runs,
    aval_deposit_addresses_left: unclaimed,
    aval_chain_read_timestamp_seconds: secondsOf(readAt),
    aval_chain_nodes: Object.fromEntries(
      NODE_STATES.map((state) => [state, nodes.filter((node) => node.state === state).length]),
    ),
    aval_node_calls: Object.fromEntries(nodes.map(({ name, calls }) => [name, calls])),
    aval_node_budget_used_ratio: Object.fromEntries(
      nodes.flatMap(({ name, share }) => (share === null ? [] : [[name, share]])),
    ),
    aval_addresses_out_of_energy: exhausted,
    aval_hot_wallet_trx_sun: hotTrx === null ? null : Number(hotTrx),
    aval_chain_lag_blocks: lag === null ? null : Number(lag),
    aval_gateway_epoch: { [gateway]: Number(epoch) },
    aval_gateway_lease_timestamp_seconds: leadsUntil,
  } satisfies Record<Name, number | Record<string, number> | null>
}
