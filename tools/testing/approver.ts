/** An operator with a passkey in software: the command pins it in the signer's key file, and it approves as the page of approvals does. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { type ApprovalRow, challengeOf, LIFETIME_MS, listOf, MAX_ROWS } from '@aval/approvals'
import { createAuthenticator } from '@aval/approvals/testing'
import { openClient } from '@aval/db/client'
import type pg from 'pg'
import { childEnvironment, root } from '../core/config.ts'
import { runningIn } from '../supervisor/run-file.ts'
import { readSecrets } from '../supervisor/secrets.ts'
import { ownKeyFile } from '../supervisor/signer.ts'
import { until } from './until.ts'

const ORIGIN = 'http://localhost:3002'

export interface Approver {
  /** Has the signer accept an approval of these withdrawals. @throws with the name of what speaks against it */
  approve(ids: readonly (bigint | number)[]): Promise<void>
}

/** @param memberId of an operator of the product that runs in this folder, on the development network */
export async function pinApprover(dataDir: string, memberId: bigint, name: string): Promise<Approver> {
  const authenticator = createAuthenticator(ORIGIN)
  const key = { member: Number(memberId), name, origin: ORIGIN, ...authenticator.passkey }
  await pin(dataDir, `avalkey1.${Buffer.from(JSON.stringify(key)).toString('base64url')}`)
  const approveAll = async (client: pg.Client, ids: readonly (bigint | number)[]) => {
    const rows = await readRows(client, ids)
    const request = {
      network: 'devnet',
      purpose: 'withdrawals',
      expiresAt: Date.now() + LIFETIME_MS,
      nonce: randomBytes(32).toString('hex'),
      ...listOf(rows),
    } as const
    const proof = authenticator.approve(challengeOf(request))
    const approval = await submit(client, memberId, request, proof, rows)
    return until('the signer to decide', () => decisionOf(client, approval))
  }
  return {
    async approve(ids) {
      const { databases } = await runningIn(dataDir)
      const client = openClient(databases.approvals)
      await client.connect()
      try {
        for (let at = 0; at < ids.length; at += MAX_ROWS) {
          const list = ids.slice(at, at + MAX_ROWS)
          await until('the signer to accept an approval', async () => {
            const verdict = await approveAll(client, list)
            // It reads the changed key file a moment later.
            if (verdict !== 'accepted') throw new Error(verdict)
            return true
          })
        }
      } finally {
        await client.end()
      }
    },
  }
}

/** On the signer's machine. */
async function pin(dataDir: string, line: string): Promise<void> {
  const { signerPassphrase } = await readSecrets(dataDir)
  const file = ownKeyFile(dataDir)
  const command = spawn(
    process.execPath,
    [join(root, 'tools/keys.ts'), 'approver', 'add', file, '--key', line],
    {
      env: childEnvironment({ SIGNER_PASSPHRASE: signerPassphrase }),
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  )
  command.stdin.end('yes\n')
  const [code] = await once(command, 'close')
  if (code !== 0) throw new Error(`the key was not pinned: ${code}`)
}

async function readRows(client: pg.Client, ids: readonly (bigint | number)[]): Promise<ApprovalRow[]> {
  const { rows } = await client.query<
    Record<'id' | 'member_id' | 'amount' | 'fee' | 'wallet_address', string>
  >('SELECT id, member_id, amount, fee, wallet_address FROM withdrawal WHERE id = ANY($1) ORDER BY id', [ids])
  return rows.map((row) => ({
    withdrawalId: BigInt(row.id),
    memberId: BigInt(row.member_id),
    amount: BigInt(row.amount),
    fee: BigInt(row.fee),
    wallet: row.wallet_address,
  }))
}

async function submit(
  client: pg.Client,
  operator: bigint,
  request: { readonly nonce: string; readonly expiresAt: number; readonly root: string },
  proof: object,
  rows: readonly ApprovalRow[],
): Promise<string> {
  const { rows: made } = await client.query<{ id: string }>(
    `SELECT submit_approval($1, 'withdrawals', 'devnet', $2, $3, $4, $5, $6, $7, $8, $9, $10) AS id`,
    [
      operator,
      request.nonce,
      new Date(request.expiresAt),
      request.root,
      JSON.stringify(proof),
      rows.map(({ withdrawalId }) => withdrawalId),
      rows.map(({ memberId }) => memberId),
      rows.map(({ amount }) => amount),
      rows.map(({ fee }) => fee),
      rows.map(({ wallet }) => wallet),
    ],
  )
  return made[0]?.id ?? ''
}

/** `accepted`, or the name of what speaks against it; null while it waits. */
async function decisionOf(client: pg.Client, approval: string): Promise<string | null> {
  const { rows } = await client.query<{ state: string; refusal: string | null }>(
    'SELECT state, refusal FROM approval WHERE id = $1',
    [approval],
  )
  const [found] = rows
  return found === undefined || found.state === 'submitted' ? null : (found.refusal ?? found.state)
}
