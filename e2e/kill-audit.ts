/** Looks at chain and database from outside, with queries of its own, and compares. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { TronWeb } from 'tronweb'
import { inherited } from './config.ts'
import type { Product } from './product.ts'

export interface KillReport {
  readonly kills: number
  readonly paymentsSent: number
  readonly transfersOnChain: number
  readonly credited: number
  readonly investments: number
  readonly commissionRuns: number
  readonly faults: readonly string[]
}

interface ChainTransfer {
  readonly txid: string
  readonly to: string
  readonly value: string
}

const LOOKS = 240
const LOOK_EVERY_MS = 250

/** Every Transfer of the token that the chain itself reports, page by page, through tronweb. */
export async function transfersOnChain(devnetUrl: string, usdt: string): Promise<ChainTransfer[]> {
  const tronWeb = new TronWeb({ fullHost: devnetUrl })
  const found: ChainTransfer[] = []
  let fingerprint: string | undefined
  do {
    const answer = await tronWeb.event.getEventsByContractAddress(usdt, {
      eventName: 'Transfer',
      limit: 200,
      onlyConfirmed: true,
      ...(fingerprint === undefined ? {} : { fingerprint }),
    })
    for (const event of answer.data ?? []) {
      const { to, value } = event.result as { to: string; value: string }
      found.push({
        txid: event.transaction_id,
        to: TronWeb.address.fromHex(`41${to.replace(/^0x/, '')}`),
        value,
      })
    }
    fingerprint = answer.meta?.fingerprint
  } while (fingerprint !== undefined)
  return found
}

/** What the ledger's own check finds; null when it is clean. */
export async function ledgerCheck(dataDir: string): Promise<string | null> {
  const child = spawn(process.execPath, ['tools/ledger-check.ts'], {
    env: { ...inherited(), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text))
  const [code] = await once(child, 'exit')
  return code === 0 ? null : output
}

const TWICE = [
  [
    'a transfer credited twice',
    'SELECT txid FROM deposit_credit GROUP BY txid, position HAVING count(*) > 1',
  ],
  [
    'an invoice that bought two investments',
    'SELECT txn_id FROM investment GROUP BY txn_id HAVING count(*) > 1',
  ],
  [
    'two commission runs of one investment',
    `SELECT i.id FROM investment i JOIN payout_run r ON r.kind = 'direct' AND r.state <> 'cancelled'
       AND i.id BETWEEN r.first_investment AND r.last_investment GROUP BY i.id HAVING count(*) > 1`,
  ],
  ['a member twice under one name', 'SELECT lower(username) FROM member GROUP BY 1 HAVING count(*) > 1'],
  [
    'a credit that is not what arrived',
    `SELECT 1 FROM deposit_credit c JOIN incoming_transfer t USING (txid, position)
     WHERE c.amount <> t.value OR c.member_id <> t.member_id`,
  ],
] as const

/** Investments whose commissions a finished run has paid. */
const COVERED = `(SELECT count(*)::int FROM investment i WHERE EXISTS (SELECT FROM payout_run r WHERE r.kind = 'direct' AND r.state = 'done'
          AND i.id BETWEEN r.first_investment AND r.last_investment))`

/** Until everything that was sent is solidified, credited and paid on; what never comes is then found as a fault. */
async function waitUntilQuiet(
  database: pg.Client,
  ours: () => Promise<ChainTransfer[]>,
  sent: number,
): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { rows } = await database.query<{ credited: number; investments: number; runs: number }>(
      `SELECT (SELECT count(*)::int FROM deposit_credit) AS credited, (SELECT count(*)::int FROM investment) AS investments,
        ${COVERED} AS runs`,
    )
    const [row] = rows
    if (row?.credited === sent && row.investments === row.runs && (await ours()).length === sent) return
    await pause(LOOK_EVERY_MS)
  }
}

export async function auditKills(product: Product, kills: number, paymentsSent: number): Promise<KillReport> {
  const { databases } = await product.run()
  const { usdt } = (await (await fetch(`${product.devnetUrl}/dev/status`)).json()) as { usdt: string }
  const database = new pg.Client({ connectionString: databases.owner })
  await database.connect()
  try {
    const addresses = new Set(
      (await database.query('SELECT address FROM deposit_address')).rows.map((row) => row.address),
    )
    const ours = async () =>
      (await transfersOnChain(product.devnetUrl, usdt)).filter(({ to }) => addresses.has(to))
    await waitUntilQuiet(database, ours, paymentsSent)
    const chain = await ours()
    const credits = await database.query<{ txid: string; amount: string }>(
      'SELECT txid, amount FROM deposit_credit',
    )
    const faults: string[] = []
    const byTxid = new Map(credits.rows.map(({ txid, amount }) => [txid, amount]))
    for (const { txid, value } of chain) {
      if (byTxid.get(txid) !== value)
        faults.push(`transfer ${txid} of ${value} was credited as ${byTxid.get(txid)}`)
    }
    if (credits.rows.length !== chain.length)
      faults.push(`${chain.length} transfers, ${credits.rows.length} credits`)
    if (chain.length !== paymentsSent)
      faults.push(`${paymentsSent} payments were sent, ${chain.length} are on the chain`)
    for (const [what, query] of TWICE) if ((await database.query(query)).rows.length > 0) faults.push(what)
    const counts = await database.query<{ investments: number; runs: number }>(
      `SELECT (SELECT count(*)::int FROM investment) AS investments,
        ${COVERED} AS runs`,
    )
    const { investments = 0, runs = 0 } = counts.rows[0] ?? {}
    if (investments !== chain.length)
      faults.push(`${chain.length} exact payments made ${investments} investments`)
    if (runs !== investments)
      faults.push(`${investments} investments, ${runs} of them with their commissions paid`)
    const unclean = await ledgerCheck(product.dataDir)
    if (unclean !== null) faults.push(unclean)
    return {
      kills,
      paymentsSent,
      transfersOnChain: chain.length,
      credited: credits.rows.length,
      investments,
      commissionRuns: runs,
      faults,
    }
  } finally {
    await database.end()
  }
}
