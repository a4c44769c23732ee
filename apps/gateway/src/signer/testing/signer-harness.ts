/** A database of the development network with withdrawals and prepared transfers, correct or not. */
import { connect } from '@aval/db'
import {
  type ContractCall,
  depositAddress,
  type RawTransaction,
  type TronAddress,
  transactionId,
} from '@aval/tron'
import { createInstallation } from '../../testing/suite.ts'
import { createSigner } from '../signer.ts'
import type { Limits } from '../signing.rules.ts'
import {
  CHAIN_NOW,
  HOT,
  KEYS,
  LIMITS,
  MINUTE,
  OWN_TRANSFERS,
  SYSTEM_NOW,
  transactionOf,
  transferCall,
  USDT,
  XPUB,
} from './fixtures.ts'

export interface ApprovedWithdrawal {
  readonly memberId: bigint
  readonly id: bigint
  readonly wallet: TronAddress
  readonly amount: bigint
  readonly fee: bigint
}

/** How a transfer differs from a correct one. */
interface Differences {
  /** In the bytes. */
  readonly bytes?: Partial<RawTransaction>
  readonly call?: Partial<ContractCall>
  /** In the row. */
  readonly row?: Readonly<Record<string, unknown>>
  /** The bytes themselves. */
  readonly raw?: Uint8Array
}

export type SignerHarness = Awaited<ReturnType<typeof createSignerHarness>>

export async function createSignerHarness(adminUrl: string) {
  const installation = await createInstallation(adminUrl, XPUB, [], 'signer')
  const { database, rows, log } = installation
  const connection = connect(database.signerUrl, 4, 'aval signer in a test')
  const newSigner = (limits: Partial<Limits> = {}) =>
    createSigner({
      db: connection.db,
      keys: KEYS,
      limits: { ...LIMITS, ...limits },
      log,
      now: () => SYSTEM_NOW,
    })
  // The operators of these approvals are no members here: the signer only counts approvals.
  await rows('ALTER TABLE withdrawal_approval DISABLE TRIGGER approval_by_an_operator')
  const prepare = preparing(rows)
  return {
    ...installation,
    signer: newSigner(),
    newSigner,
    withdrawal: withdrawing(rows),
    /** Prepares a transfer for it; the txid. */
    prepareWithdrawal: (
      { memberId, id, wallet, amount, fee }: ApprovedWithdrawal,
      differences?: Differences,
    ) => {
      const row = { memberId, from: HOT, to: wallet, amount: amount - fee }
      const call = transferCall(HOT, wallet, amount - fee)
      return prepare({ purpose: 'withdrawal', withdrawal_id: id, ...columnsOf(row) }, call, differences)
    },
    /** Prepares a transfer between our own addresses; the txid. */
    prepareOwn: (purpose: keyof typeof OWN_TRANSFERS, differences?: Differences) => {
      const { row, call } = OWN_TRANSFERS[purpose]
      return prepare({ purpose, ...columnsOf(row) }, call, differences)
    },
    /** Its row says that it is expired. */
    async expire(txid: string): Promise<string> {
      await rows("UPDATE outgoing_transfer SET state = 'expired', closed_at = now() WHERE txid = $1", [txid])
      return txid
    },
    async transfer(txid: string) {
      const [found] = await rows<{ state: string; signature: Buffer | null }>(
        'SELECT state, signature FROM outgoing_transfer WHERE txid = $1',
        [txid],
      )
      return found
    },
    async refusals(txid: string) {
      const refused = await rows<{ code: string }>(
        `SELECT details->>'code' AS code FROM audit_event
         WHERE subject = $1 AND action = 'outgoing_transfer.sign' AND outcome = 'refused' ORDER BY id`,
        [`outgoing_transfer:${txid}`],
      )
      return refused.map(({ code }) => code)
    },
    async close() {
      await connection.close()
      await installation.close()
    },
  }
}

type Rows = Awaited<ReturnType<typeof createInstallation>>['rows']

/** Makes approved withdrawals of 100 USDT less 1, by two operators, unless said otherwise. */
function withdrawing(rows: Rows) {
  let member = 10
  return async ({
    amount = 100n * USDT,
    needed = 2,
    operators = [1n, 2n],
  } = {}): Promise<ApprovedWithdrawal> => {
    member += 1
    const wallet = depositAddress(XPUB, 1_000_000 + member)
    const [made] = await rows<{ id: string }>(
      `INSERT INTO withdrawal (member_id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version,
         hold_journal_id, requested_at) VALUES ($1, $2, 1000000, $2, 0, $3, $4, 1, 1, now()) RETURNING id`,
      [member, amount, wallet, needed],
    )
    const id = BigInt(made?.id ?? 0)
    const memberId = BigInt(member)
    for (const operator of operators) {
      await rows(
        'INSERT INTO withdrawal_approval (member_id, withdrawal_id, operator_id, at) VALUES ($1, $2, $3, now())',
        [member, id, operator],
      )
    }
    // Without the approvals that the trigger asks for, as only the tables' owner can.
    await rows('ALTER TABLE withdrawal DISABLE TRIGGER withdrawal_goes_forward')
    await rows(`UPDATE withdrawal SET state = 'approved', approved_at = now() WHERE member_id = $1`, [member])
    await rows('ALTER TABLE withdrawal ENABLE TRIGGER withdrawal_goes_forward')
    return { memberId, id, wallet, amount, fee: USDT }
  }
}

const columnsOf = ({ memberId, from, to, amount }: (typeof OWN_TRANSFERS)['sweep']['row']) => ({
  member_id: memberId,
  from_address: from,
  to_address: to,
  amount,
})

/** Prepares transfers of these rows and calls; gives their txids. */
function preparing(rows: Rows) {
  let second = 0
  return async (
    row: Readonly<Record<string, unknown>>,
    contract: ContractCall,
    { bytes = {}, call = {}, row: changes = {}, raw: given }: Differences = {},
  ): Promise<string> => {
    second += 1
    const timestamp = CHAIN_NOW + second * 1_000
    const expiration = bytes.expiration ?? timestamp + MINUTE
    const called = { ...contract, ...call } as ContractCall
    const raw = given ?? transactionOf(called, { timestamp, feeLimit: 50n * USDT, ...bytes, expiration })
    const values: Record<string, unknown> = {
      txid: transactionId(raw),
      ...row,
      raw,
      expires_at: new Date(expiration),
      ...changes,
    }
    const names = Object.keys(values)
    await rows(
      `INSERT INTO outgoing_transfer (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(values).map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
    )
    return String(values['txid'])
  }
}
