/** The reserves at `/api/metrics`. */
import type { Watched } from './overview.commands.ts'

export const WATCHED = [
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
    name: 'aval_custody_micro',
    help: 'What the chain says the company holds, in micro-USDT.',
    label: 'wallet',
  },
  { name: 'aval_owed_micro', help: 'What is owed to members, in micro-USDT.' },
  { name: 'aval_withdrawals_open', help: 'Withdrawals neither paid nor closed.', label: 'state' },
  { name: 'aval_hot_wallet_trx_sun', help: 'What the hot wallet has for fees, in sun.' },
  { name: 'aval_chain_lag_blocks', help: 'Solid blocks still to be read.' },
] as const

type Name = (typeof WATCHED)[number]['name']

/** Metrics are doubles by nature: exact up to nine billion USDT. */
export function presentWatched(watched: Watched) {
  const { check, stopped, hotTrx, lag, open } = watched
  return {
    aval_reserves_drift_micro: check === null ? null : Number(check.drift),
    aval_reserves_stopped: stopped ? 1 : 0,
    aval_reserves_checked_timestamp_seconds: check === null ? null : check.at.getTime() / 1000,
    aval_custody_micro:
      check === null
        ? null
        : { hot: Number(check.hot), cold: Number(check.cold), deposits: Number(check.deposits) },
    aval_owed_micro: check === null ? null : Number(check.owed),
    aval_withdrawals_open: Object.fromEntries(open.map(({ state, count }) => [state, count])),
    aval_hot_wallet_trx_sun: hotTrx === null ? null : Number(hotTrx),
    aval_chain_lag_blocks: lag === null ? null : Number(lag),
  } satisfies Record<Name, number | Record<string, number> | null>
}
