/** A database of the development network with withdrawals and prepared transfers, correct or not. */
import { connect } from '@aval/db'
import {
  type ContractCall,
  depositAddress,
  type RawTransaction,
  type TronAddress,
  transactionId,
} from '@aval/tron'
import { type Differences as Approved, type Approvers, createApprovers } from '../../testing/approvers.ts'
import { createInstallation } from '../../testing/suite.ts'
import { type Acceptor, createAcceptor } from '../approvals/accept.ts'
import { findRemembered } from '../approvals/approvals.sql.ts'
import { createMemberKeys } from '../member-keys/seal.ts'
import type { Policy, PolicyLimits } from '../policy.rules.ts'
import { identityOf } from '../rounds.ts'
import { createSigner } from '../signer.ts'
import type { Refused } from '../signing.rules.ts'
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
import { openMemoryJournal } from './journals.ts'

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

const DEPOSITS = [5, 6].map((member) => [member, depositAddress(XPUB, member)] as const)
/** Pinned in the key file of these tests. */
const OPERATORS = [1n, 2n, 3n, 4n]

function createSeeing() {
  const seeing = { refused: null as Refused | null }
  const refusalOf = (earlier: readonly unknown[]) => (earlier.length === 0 ? null : seeing.refused)
  return { seeing, sight: { refusalOf } }
}

export async function createSignerHarness(adminUrl: string, { realTime = false } = {}) {
  const installation = await createInstallation(adminUrl, XPUB, DEPOSITS, 'signer')
  const { database, rows, log } = installation
  const connection = connect(database.signerUrl, 4, 'aval signer in a test')
  let passed = 0
  const now = () => new Date((realTime ? Date.now() : SYSTEM_NOW.getTime()) + passed)
  const approvers = createApprovers(rows, OPERATORS, () => now().getTime())
  await approvers.register()
  let { policy } = approvers
  const journals = await openMemoryJournal(identityOf(KEYS, policy))
  const { journal } = journals
  const shared = { db: connection.db, log, now }
  const { seeing, sight } = createSeeing()
  const deciding = { ...shared, network: 'devnet', policy: () => policy, journal }
  const acceptor = () => createAcceptor(deciding)
  const newSigner = (limits: Partial<PolicyLimits> = {}, db = connection.db) =>
    createSigner({
      ...shared,
      db,
      keys: KEYS,
      policy: () => ({ ...policy, limits: { ...policy.limits, ...limits } }),
      journal,
      sight,
      limits: LIMITS,
    })
  const first = { acceptor: acceptor(), signer: newSigner() }
  return {
    ...installation,
    approvers,
    signer: first.signer,
    acceptor: first.acceptor,
    memberKeys: createMemberKeys(deciding),
    newSigner,
    /** As the signer's role. */
    connection,
    /** The key file changes, also for signers of before. */
    policyIs(changed: Partial<Policy>): void {
      policy = { ...policy, ...changed }
    },
    policy: () => policy,
    journals,
    journal,
    /** What the chain shows of earlier transfers: all have ended, unless a refusal stands here. */
    seeing,
    /** As for a new process: nothing but the journal's file and the database is left. */
    async restart() {
      const fault = await journal.open(
        await findRemembered(connection.db),
        identityOf(KEYS, approvers.policy),
        0,
      )
      return { fault, signer: newSigner(), acceptor: acceptor() }
    },
    /** So much time has passed, also for what the database counts. */
    async pass(milliseconds: number) {
      passed += milliseconds
      await rows("UPDATE outgoing_transfer SET signed_at = signed_at - $1 * interval '1 millisecond'", [
        milliseconds,
      ])
    },
    now,
    ...withdrawing(rows, approvers, first.acceptor),
    ...preparingFor(rows),
    ...reading(rows),
    async close() {
      await connection.close()
      await installation.close()
    },
  }
}

type Rows = Awaited<ReturnType<typeof createInstallation>>['rows']

function preparingFor(rows: Rows) {
  const prepare = preparing(rows)
  return {
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
  }
}

/** What became of a transfer, and what only the owner of the tables can change. */
function reading(rows: Rows) {
  return {
    /** A change that the table's own triggers would refuse. */
    async withoutTriggers(table: string, statement: string, ...values: unknown[]): Promise<void> {
      await rows(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
      await rows(statement, values)
      await rows(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
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
  }
}

let members = 1_000
const nextMember = (): bigint => {
  members += 1
  return BigInt(members)
}

/** Withdrawals of 100 USDT less 1 that need two operators, unless said otherwise. */
function withdrawing(rows: Rows, approvers: Approvers, acceptor: Acceptor) {
  const request = async ({
    amount = 100n * USDT,
    needed = 2,
    memberId = nextMember(),
    wallet = depositAddress(XPUB, 1_000_000 + Number(memberId)),
  } = {}): Promise<ApprovedWithdrawal> => {
    const [made] = await rows<{ id: string }>(
      `INSERT INTO withdrawal (member_id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version,
         hold_journal_id, requested_at) VALUES ($1, $2, 1000000, $2, 0, $3, $4, 1, 1, now()) RETURNING id`,
      [memberId, amount, wallet, needed],
    )
    return { memberId, id: BigInt(made?.id ?? 0), wallet, amount, fee: USDT }
  }
  /** It says so, without the approvals that the triggers ask for, as only the tables' owner can. */
  const claimApproved = async ({ id }: Pick<ApprovedWithdrawal, 'id'>): Promise<void> => {
    await rows('ALTER TABLE withdrawal DISABLE TRIGGER withdrawal_goes_forward')
    await rows(
      `UPDATE withdrawal SET state = 'approved', approved_at = now() WHERE id = $1 AND state = 'requested'`,
      [id],
    )
    await rows('ALTER TABLE withdrawal ENABLE TRIGGER withdrawal_goes_forward')
  }
  return {
    request,
    claimApproved,
    /** An operator approves withdrawals as one list; the verdict. */
    approve: async (operator: bigint, listed: readonly ApprovedWithdrawal[], differences?: Approved) =>
      acceptor.decide(
        await approvers.submit(operator, await approvers.shown(listed.map(({ id }) => id)), differences),
      ),
    /** Approved by these operators; the database says approved whether they are enough or not. */
    async withdrawal({
      operators = [1n, 2n],
      ...asked
    }: Parameters<typeof request>[0] & {
      readonly operators?: readonly bigint[]
    } = {}): Promise<ApprovedWithdrawal> {
      const made = await request(asked)
      for (const operator of operators) {
        const verdict = await acceptor.decide(
          await approvers.submit(operator, await approvers.shown([made.id])),
        )
        if (verdict !== 'accepted') throw new Error(`the approval was refused: ${verdict}`)
      }
      await claimApproved(made)
      return made
    },
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
