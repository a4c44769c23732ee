/** Operators with passkeys in software, pinned in a policy, and approvals as the page of approvals would have stored them. */
import { randomBytes } from 'node:crypto'
import {
  type ApprovalRequest,
  type ApprovalRow,
  challengeOf,
  type DecisionRow,
  listOf,
  listOfDecisions,
} from '@aval/approvals'
import { type AssertionChanges, type Authenticator, createAuthenticator } from '@aval/approvals/testing'
import { newPolicy, type Policy } from '../signer/policy.rules.ts'

export const ORIGIN = 'http://localhost:3002'
export const MEMBERS_ORIGIN = 'http://localhost:3000'
const RP_ID = 'localhost'

/** Runs a statement as the owner of the tables. */
type Rows = <Row extends Record<string, unknown>>(query: string, values?: unknown[]) => Promise<Row[]>

/** How an approval differs from an honest one. */
export interface Differences<Row = ApprovalRow> {
  /** In what is signed. */
  readonly request?: Partial<ApprovalRequest>
  readonly assertion?: AssertionChanges
  /** In the approval's columns. */
  readonly row?: Readonly<Record<string, unknown>>
  /** The rows that the database has, where they are others than were shown. */
  readonly stored?: readonly Row[]
  readonly proof?: unknown
  readonly by?: Authenticator
}

export type Approvers = ReturnType<typeof createApprovers>

/** @param operators numbers of members */
export function createApprovers(rows: Rows, operators: readonly bigint[], now: () => number) {
  const keys = new Map(operators.map((id) => [id, createAuthenticator(ORIGIN)]))
  const keyOf = (operator: bigint): Authenticator => keys.get(operator) ?? createAuthenticator(ORIGIN)
  const policy: Policy = {
    ...newPolicy('devnet'),
    version: 1,
    origin: ORIGIN,
    rpId: RP_ID,
    membersOrigin: MEMBERS_ORIGIN,
    membersRpId: RP_ID,
    approvers: operators.map((memberId) => ({
      memberId,
      name: `operator ${memberId}`,
      passkeys: [{ ...keyOf(memberId).passkey, addedAt: new Date(0).toISOString() }],
    })),
  }
  return {
    policy,
    keyOf,
    /** Stores an approval of these rows; its number. */
    submit: submitting(rows, keyOf, now),
    /** The same of these decisions. */
    submitDecisions: submittingDecisions(rows, keyOf, now),
    /** Makes members of these numbers, who are operators. */
    async register(): Promise<void> {
      await rows(
        `INSERT INTO member (id, username, email, password_hash, ref_code, is_operator, operator_role, terms_accepted_at, joined_at)
         OVERRIDING SYSTEM VALUE SELECT id, 'operator' || id, id || '@example.org', '', lpad(id::text, 7, '9'), true, 'admin', now(), now()
         FROM unnest($1::bigint[]) AS id`,
        [operators],
      )
    },
    /** Withdrawals as a list shows them. */
    shown: (ids: readonly (bigint | number)[]): Promise<ApprovalRow[]> =>
      rows<Record<string, string>>(
        'SELECT id, member_id, amount, fee, wallet_address FROM withdrawal WHERE id = ANY($1) ORDER BY id',
        [ids],
      ).then((found) =>
        found.map((each) => ({
          withdrawalId: BigInt(each['id'] ?? 0),
          memberId: BigInt(each['member_id'] ?? 0),
          amount: BigInt(each['amount'] ?? 0),
          fee: BigInt(each['fee'] ?? 0),
          wallet: each['wallet_address'] ?? '',
        })),
      ),
  }
}

type KeyOf = (operator: bigint) => Authenticator

/** Stores an approval without its rows; its number. */
async function storing(
  rows: Rows,
  operator: bigint,
  request: ApprovalRequest,
  { assertion, row, proof, by }: Differences<unknown> & { readonly by: Authenticator },
): Promise<bigint> {
  const columns: Record<string, unknown> = {
    operator_id: operator,
    purpose: request.purpose,
    network: request.network,
    nonce: request.nonce,
    expires_at: new Date(request.expiresAt),
    root: request.root,
    row_count: request.count,
    proof: JSON.stringify(proof ?? by.approve(challengeOf(request), assertion)),
    ...row,
  }
  const names = Object.keys(columns)
  const [made] = await rows<{ id: string }>(
    `INSERT INTO approval (${names.join(', ')}) VALUES (${names.map((_, place) => `$${place + 1}`).join(', ')}) RETURNING id`,
    Object.values(columns),
  )
  return BigInt(made?.id ?? 0)
}

const requestAt = (now: number) => ({
  network: 'devnet',
  expiresAt: now + 9 * 60_000,
  nonce: randomBytes(32).toString('hex'),
})

function submitting(rows: Rows, keyOf: KeyOf, now: () => number) {
  return async (
    operator: bigint,
    shown: readonly ApprovalRow[],
    { request: asked, stored = shown, by = keyOf(operator), ...differences }: Differences = {},
  ): Promise<bigint> => {
    const request = { ...requestAt(now()), purpose: 'withdrawals', ...listOf(shown), ...asked } as const
    const made = await storing(rows, operator, request, { ...differences, by })
    await rows(
      `INSERT INTO approval_row (approval_id, position, withdrawal_id, member_id, amount, fee, wallet_address)
       SELECT $1, u.place - 1, u.withdrawal, u.member, u.amount, u.fee, u.wallet
       FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[]) WITH ORDINALITY AS u (withdrawal, member, amount, fee, wallet, place)`,
      [
        made,
        stored.map(({ withdrawalId }) => withdrawalId),
        stored.map(({ memberId }) => memberId),
        stored.map(({ amount }) => amount),
        stored.map(({ fee }) => fee),
        stored.map(({ wallet }) => wallet),
      ],
    )
    return made
  }
}

function submittingDecisions(rows: Rows, keyOf: KeyOf, now: () => number) {
  return async (
    operator: bigint,
    shown: readonly DecisionRow[],
    { request: asked, stored = shown, by = keyOf(operator), ...differences }: Differences<DecisionRow> = {},
  ): Promise<bigint> => {
    const request = {
      ...requestAt(now()),
      purpose: 'decisions',
      ...listOfDecisions(shown),
      ...asked,
    } as const
    const made = await storing(rows, operator, request, { ...differences, by })
    await rows(
      `INSERT INTO approval_decision (approval_id, position, decision_id, kind, statement)
       SELECT $1, u.place - 1, u.decision, u.kind, u.statement::jsonb
       FROM unnest($2::bigint[], $3::text[], $4::text[]) WITH ORDINALITY AS u (decision, kind, statement, place)`,
      [
        made,
        stored.map(({ decisionId }) => decisionId),
        stored.map(({ kind }) => kind),
        stored.map(({ statement }) => JSON.stringify(statement)),
      ],
    )
    return made
  }
}
