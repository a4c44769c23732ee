import {
  type Locale,
  type QueuedWithdrawal,
  WITHDRAWAL_OBSTACLES,
  WITHDRAWAL_RISKS,
  type WithdrawalDossier,
} from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import type { Config } from '../../config.ts'
import { explorerUrl } from '../investments/investments.presenter.ts'
import type { View } from '../withdrawals/listing.commands.ts'
import { presentWithdrawal } from '../withdrawals/withdrawals.presenter.ts'
import type { Dossier, QueuedRow } from './operator-withdrawals.commands.ts'

const text = (amount: bigint) => formatMicro(micro(amount))

/** Who looks, in which language, against which moment. */
export interface Looking {
  readonly config: Config
  readonly view: View
  readonly operatorId: bigint
  readonly locale: Locale
}

/** What of a settled transfer did not arrive; null when all of it did, or nothing is settled. */
function shortBy({ transfer_state: state, sent, arrived }: QueuedRow): string | null {
  if (state !== 'settled' || sent === null || arrived === null || arrived >= sent) return null
  return text(sent - arrived)
}

function obstacleOf(row: QueuedRow): QueuedWithdrawal['obstacle'] {
  const code = WITHDRAWAL_OBSTACLES.find((name) => name === row.obstacle)
  if (code === undefined || row.obstacle_since === null) return null
  return { code, detail: row.obstacle_detail ?? '', since: row.obstacle_since.toISOString() }
}

/** A row of GET operator/withdrawals/. */
export function presentQueued(row: QueuedRow, looking: Looking): QueuedWithdrawal {
  const { config, view, operatorId, locale } = looking
  const { can_cancel: _, ...shown } = presentWithdrawal(config, row, view, locale)
  const isOwn = row.member_id === operatorId
  const hasApproved = row.approvals.some(([id]) => BigInt(id) === operatorId)
  const isUndecided = row.state === 'requested'
  const canStop =
    row.state === 'approved' && (row.transfer_state === null || row.transfer_state === 'expired')
  const risks = Array.isArray(row.risks) ? row.risks : []
  return {
    ...shown,
    member_id: Number(row.member_id),
    username: row.username,
    email: row.email,
    risks: WITHDRAWAL_RISKS.filter((name) => risks.includes(name)),
    approvals: row.approvals.map(([, operator, at]) => ({ operator, at: new Date(at).toISOString() })),
    approvals_needed: row.approvals_needed,
    can_approve: isUndecided && !isOwn && !hasApproved,
    can_refuse: !isOwn && (isUndecided || canStop),
    wallet_since: row.wallet_since?.toISOString() ?? null,
    short_by: shortBy(row),
    obstacle: obstacleOf(row),
  }
}

/** GET operator/withdrawals/{id}/ */
export function presentDossier(
  { row, member, events, transfers }: Dossier,
  looking: Looking,
): WithdrawalDossier {
  return {
    ...presentQueued(row, looking),
    member: {
      joined_at: member.joined_at.toISOString(),
      principal: text(member.principal),
      balance: text(member.balance),
      held: text(member.held),
      invested: text(member.invested),
      earned: text(member.earned),
      withdrawn: text(member.withdrawn),
      withdrawals: member.withdrawals,
      sponsor: member.sponsor,
      two_factor: member.twoFactor,
      cools_until: member.coolsUntil?.toISOString() ?? null,
    },
    security_events: events.map(({ kind, at, user_agent: device }) => ({
      kind,
      at: at.toISOString(),
      device,
    })),
    transfers: transfers.map((transfer) => ({
      txid: transfer.txid,
      state: transfer.state as WithdrawalDossier['transfers'][number]['state'],
      prepared_at: transfer.prepared_at.toISOString(),
      expires_at: transfer.expires_at.toISOString(),
      broadcasts: transfer.broadcasts,
      reply: transfer.reply,
      result: transfer.result,
      arrived: transfer.arrived === null ? null : text(transfer.arrived),
      explorer_url: explorerUrl(looking.config, transfer.txid),
    })),
  }
}
