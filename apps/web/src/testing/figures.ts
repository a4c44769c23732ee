import type {
  CurrentUser,
  InvoiceStatus,
  OperatorReserves,
  OperatorSelf,
  OperatorTreasury,
  PayoutRun,
  PlanVersion,
  PoolName,
  QueuedWithdrawal,
  Reversal,
  TreeNode,
  Withdrawal,
  WithdrawalDossier,
  WithdrawalTerms,
} from '@aval/contract'
import { ABILITY_NAMES } from '@aval/contract'

/** Answers of the server as the contract has them, with what a test does not care about filled in. */
export const DAY = '2026-11-20T10:00:00Z'
export const WALLET = 'TXLAQgG5mUo8Q1zePmT2kdPvH7cS9bRfWJ'

export const pageOf = (...results: object[]) => ({
  links: { next: null, previous: null },
  total_pages: 1,
  count: results.length,
  results,
})

export const withdrawal = (more: Partial<Withdrawal> = {}): Withdrawal => ({
  id: 3,
  amount: '100.00',
  fee: '1.00',
  arrives: '99.00',
  from_balance: '100.00',
  from_principal: '0.00',
  date: DAY,
  payed_date: null,
  status: '1',
  stage: 'requested',
  confirmations: null,
  confirms_needed: 19,
  payment_link: null,
  txid: null,
  wallet_address: WALLET,
  reason: null,
  timeline: [{ stage: 'requested', at: DAY }],
  due: { at: '2026-11-23T10:00:00Z', state: 'later', seconds: 200_000 },
  can_cancel: true,
  ...more,
})

export const queued = (id: number, username: string, amount: string): QueuedWithdrawal => ({
  ...withdrawal({ id, amount, arrives: amount }),
  member_id: id,
  username,
  email: `${username}@example.com`,
  risks: [],
  risk_marks: [],
  approvals: [],
  approvals_needed: 1,
  can_approve: true,
  can_refuse: true,
  age: 59_200,
  frozen: false,
  refused_by: null,
  wallet_since: null,
  short_by: null,
  delay: null,
})

/** Who may do everything. */
export const admin: OperatorSelf = {
  username: 'olga',
  role: 'admin',
  abilities: ABILITY_NAMES,
}

export const dossier = (id: number, username: string, amount: string): WithdrawalDossier => ({
  ...queued(id, username, amount),
  member: {
    joined_at: DAY,
    principal: '500.00',
    balance: '10.00',
    held: '0.00',
    invested: '500.00',
    earned: '20.00',
    withdrawn: '0.00',
    withdrawals: 0,
    sponsor: null,
    sponsor_id: null,
    two_factor: true,
    cools_until: null,
  },
  same_wallet: [],
  day: { amount, count: 1, operators: 1, more_from: '1000.00' },
  security_events: [],
  transfers: [],
})

const pool = (name: PoolName, awaiting: string) => ({
  pool: name,
  amount: '0.00',
  due: '0.00',
  awaiting,
  rate: '2.00',
  days: 0,
  until: '2026-11-21',
  low: true,
  movements: [],
})
export const treasury: OperatorTreasury = {
  capital: '1490.00',
  company_address: WALLET,
  company_address_url: null,
  as_of: DAY,
  pools: [pool('profit', '5.00'), pool('commission', '0.00')],
  wallets: [
    { role: 'hot', address: WALLET, explorer_url: null, amount: '1000.00', trx: '7.00', read_at: DAY },
  ],
  fees: [],
  chain: {
    head: 10,
    solid: 9,
    scanned: 9,
    read_at: DAY,
    gateway: 'one',
    leads_until: DAY,
    addresses_left: 940,
    addresses_few: false,
  },
  failing: [],
  stop: null,
  stops: [],
}

export const heldRun: PayoutRun = {
  id: 41,
  kind: 'passive',
  period: '2026-11-20',
  investor: null,
  state: 'held',
  reasons: [{ check: 'pool_short', sentence: 'The pool is short.' }],
  progress: { done: 0, total: 2, per_second: 0 },
  items: 2,
  posted: 0,
  total: '10.00',
  payable: '10.00',
  missing: '4.00',
  not_paid: '0.00',
  plan_version: 1,
  rate: '0.25',
  input_hash: 'aa',
  audit: null,
  items_hash: 'bb',
  released_by: null,
  decision: null,
  created_at: DAY,
  finished_at: null,
}

const nothing = { count: 0, amount: '0.00' }
/** Computed at once, on a ledger that has paid nothing. */
const planPreview = {
  ...{ id: 1, sha256: 'a'.repeat(64), asked_by: 'olga', asked_at: DAY, state: 'done', finished_at: DAY },
  progress: { done: 1, total: 1 },
  result: { version: 1, rules: [], cover: [] },
}
/** What the pages of run 41, of rates and of plans ask for before anything is decided. */
export const readBeside = {
  'GET operator/runs/41/digest/': {
    ...{ ready: true, rules: [], missed: [], before: null, fresh: nothing, gone: nothing, gone_reasons: [] },
    ...{ raised: 0, lowered: 0 },
  },
  'GET operator/runs/41/items/': { ready: true, results: [], next: null },
  'GET operator/runs/41/replays/': [],
  'GET operator/rates/cost/': {
    ...{ members: 0, principal: '0.00', at_plan: '0.00', at_declared: '0.00', less: '0.00' },
    ...{ day: '2026-11-21', percentage: '0.25', target: '0.333333', run: null, pool: '0.00', classes: [] },
  },
  'POST operator/plan-previews/': planPreview,
  'GET operator/plan-previews/1/': planPreview,
}

export const planVersion = {
  version: 1,
  starts_at: '2026-01-01T05:00:00Z',
  current: true,
  document: {
    timeZone: 'America/Bogota',
    investment: {
      firstMinimum: '500',
      topUpMinimum: '50',
      largest: '100000000',
      feePercent: '0.5',
      lockDays: 365,
      invoiceMinutes: 120,
      openInvoices: 10,
      balanceADay: 20,
    },
    passive: { percentPerPeriod: '10', periodDays: 30, weekdaysOnly: false, capMultiple: null },
    direct: { levels: ['5', '2', '1'], masterPercent: '1', compression: false },
    binary: { percent: '10', dailyCap: '1000' },
    withdrawals: { minimum: '20', fee: '1', dailyLimit: '5000', approvals: [{ from: '0', operators: 1 }] },
    guards: { changePercent: '50', changeFrom: '1000', memberMost: '100000', runMost: '100000000' },
  },
} satisfies PlanVersion

export const investment: Reversal['investment'] = {
  id: 7,
  member: 'luis',
  member_id: 4,
  amount: '500.00',
  date: DAY,
  from_balance: false,
  state: 'settled',
}

export const reversal: Reversal = {
  investment,
  parts: [{ member: 'ana', pool: 'commission', amount: '25.00', from_balance: '20.00', owed: '5.00' }],
  message: 'Two payments are taken back.',
}

export const operatorReserves: OperatorReserves = {
  stopped: true,
  since: DAY,
  reason: 'missing',
  addresses: [
    {
      address: WALLET,
      role: 'hot',
      explorer_url: null,
      expected: '100.00',
      found: '95.00',
      difference: '-5.00',
      trx: '10.00',
      read_at: DAY,
      waits: false,
    },
  ],
  books: [],
  integrity: { checked_at: DAY, differences: [] },
  outflows: [],
  checks: [],
  costs: [],
}

export const user: CurrentUser = {
  id: 3,
  username: 'ana',
  first_name: 'Ana',
  last_name: '',
  email: 'ana@example.com',
  email_proven: true,
  avatar: '',
  ref_code: '1234567',
  phone_number: '',
  usdt_wallet: WALLET,
  is_fundator: false,
  balance: 120.5,
  is_operator: false,
  two_factor: true,
  passkey_only: false,
  time_zone: 'UTC',
  region: null,
  locale: 'es',
}

export const withdrawalTerms: WithdrawalTerms = {
  balance: '120.50',
  unlocked_principal: '0.00',
  principal_unlocks_at: null,
  locked: { amount: '0.00', count: 0, parts: [] },
  available: '120.50',
  minimum: '20.00',
  fee: '1.00',
  daily_limit: '5000.00',
  left_today: '5000.00',
  day_turns_at: '2026-11-21T05:00:00Z',
  cools_until: null,
  paused: false,
  frozen: null,
  wallet_address: WALLET,
  needs_otp: true,
  code_first: true,
}

export const investmentTerms = {
  minimum: '50.00',
  fee_percentage: '0.5',
  lock_days: 365,
  daily_percentage: '0.333333',
  balance: '120.50',
  unlocks_at: '2027-11-20T15:00:00Z',
  invested: '1000.00',
  locked: {
    amount: '1000.00',
    count: 1,
    parts: [{ amount: '1000.00', invested_at: '2026-10-26T15:00:00Z', unlocks_at: '2027-10-26T15:00:00Z' }],
  },
  elapsed: '68.493150',
}

export const investmentPayment = {
  error: 'ok',
  result: {
    amount: '1256.75',
    txn_id: 'INV1',
    address: WALLET,
    confirms_needed: 19,
    timeout: 7200,
    checkout_url: 'https://example.com/pay',
    status_url: 'https://example.com/status',
    qrcode_url: 'https://example.com/qr',
  },
}

export const invoiceStatus: InvoiceStatus = {
  txn_id: 'INV1',
  state: 'waiting',
  is_open: true,
  investment: '1250.50',
  fee: '6.25',
  amount: '1256.75',
  received: '0.00',
  on_the_way: '0.00',
  missing: '1256.75',
  to_send: '1256.75',
  from_balance: '1250.50',
  to_balance: '0.00',
  behind: null,
  confirmations: 0,
  confirms_needed: 19,
  created_at: '2026-11-20T10:00:00Z',
  expires_at: '2026-11-20T12:00:00Z',
  timeout: 7200,
  address: WALLET,
  checkout_url: 'https://example.com/pay',
  paid_txid: null,
  unlocks_at: null,
  first_payment_day: null,
  first_payment: null,
  explorer_url: null,
  message: 'Waiting.',
}

/** A member of the network by number, under another; 0 for the top. */
export const treeNode = (number: number, parent: number, more: Partial<TreeNode> = {}): TreeNode => ({
  id: `O-${number}`,
  parentId: parent === 0 ? '' : `O-${parent}`,
  username: `user${number}`,
  name: `Name ${number}`,
  imageUrl: '',
  plan_name: '0.00',
  is_master_code: false,
  children_count: 0,
  depth: 0,
  leg: null,
  ...more,
})
