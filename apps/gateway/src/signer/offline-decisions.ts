/** Verifies approvals of decisions on a machine without a network: as with one, by the same functions, the same key file and a journal. */
import { type DecisionRow, OFFLINE_LIFETIME_MS } from '@aval/approvals'
import { verifyApproval } from './approvals/accept.ts'
import { checkDecisions, operatorsDeciding } from './approvals/decision.rules.ts'
import type { Journal } from './journal/journal.ts'
import type { Accepted } from './journal/memory.rules.ts'
import type { ExportedDecisions, Outcome } from './offline-files.ts'
import type { Policy } from './policy.rules.ts'

export interface VerifiedDecisions {
  readonly rows: readonly DecisionRow[]
  readonly outcome: Outcome
  /** What the journal is to remember before the outcome leaves this machine; null where it does, or where it is refused. */
  readonly entry: Accepted | null
}

export async function verifyDecisions(
  { approval, operator, expires_at, rows: written, ...claim }: ExportedDecisions,
  { network, policy }: { readonly network: string; readonly policy: Policy },
  journal: Journal,
  now: Date,
): Promise<VerifiedDecisions> {
  const rows = written.map(([id, kind, statement]) => ({ decisionId: BigInt(id), kind, statement }))
  const operatorId = BigInt(operator)
  const claimed = { ...claim, operatorId, expiresAt: Date.parse(expires_at), count: rows.length, rows }
  const check = (at: number) => checkDecisions(claimed, policy, network, at, OFFLINE_LIFETIME_MS)
  // Also where the journal knows it: what is shown to the person has to be what was signed.
  const checked = check(now.getTime())
  const verified =
    typeof checked === 'string'
      ? checked
      : await verifyApproval(
          { journal, policy: () => policy, now: () => now },
          { ...claimed, id: BigInt(approval) },
          {
            kind: 'decided',
            check,
            // Whose key it replaces, and whether its member signed it, only the journal of a signer with a network knows.
            forbids: async () =>
              rows.some(({ kind }) => kind === 'member_key') ? 'member_key_without_network' : null,
            // A code is good for half a minute, and says nothing of what it approves.
            checkCode: () => 'code_without_network',
          },
        )
  const isRefused = typeof verified === 'string'
  const { nonce, root } = claim
  const needed = operatorsDeciding(rows, policy)
  return {
    rows,
    outcome: { approval, operator, nonce, root, verdict: isRefused ? verified : 'accepted', needed },
    entry: isRefused ? null : verified,
  }
}
