import { commitOnRefusal } from '../../apps/server/src/core/committed-refusal.ts'
import type { Context } from '../../apps/server/src/core/context.ts'
import { decide } from '../../apps/server/src/features/withdrawals/decide.commands.ts'
import type { Gateway } from '../gateway.ts'
import type { World } from '../world.ts'
import { outcomeOf } from './members.ts'

async function openWithdrawals(world: World, state: 'requested' | 'approved'): Promise<bigint[]> {
  const { rows } = await world.owner.query<{ id: string }>(
    'SELECT id FROM withdrawal WHERE state = $1 ORDER BY id',
    [state],
  )
  return rows.map((row) => BigInt(row.id))
}

/** An operator decides about one or several; sometimes about what was decided already. */
export async function decideSome(world: World, gateway: Gateway, context: Context): Promise<string> {
  const { chance, template } = world
  const operator = template.operators[chance.below(template.operators.length)]
  const waiting = await openWithdrawals(world, 'requested')
  const approved = await openWithdrawals(world, 'approved')
  const late = chance.happens(0.1)
  const from = late ? approved : waiting
  const count = 1 + chance.below(3)
  const refuses = chance.happens(0.15)
  if (operator === undefined || from.length === 0) return 'nothing to decide'
  const ids = from.slice(0, count)
  return refuses
    ? refuseAs(world, context, operator.memberId, ids)
    : approveAs(world, gateway, operator.memberId, ids)
}

function refuseAs(
  world: World,
  context: Context,
  operatorId: bigint,
  ids: readonly bigint[],
): Promise<string> {
  return outcomeOf(async () => {
    await commitOnRefusal(context.db, (tx) =>
      decide(tx, { ids, reason: 'simulated' }, { operatorId, now: world.now(), systemNow: world.now() }),
    )
    return `${operatorId} refuses ${ids.join(', ')}`
  })
}

/** On the page of approvals: what it stores, the signer decides about. */
async function approveAs(
  world: World,
  gateway: Gateway,
  operatorId: bigint,
  ids: readonly bigint[],
): Promise<string> {
  const { approvers } = world
  const approval = await approvers.submit(operatorId, await approvers.shown(ids))
  await gateway.accept()
  const { rows } = await world.owner.query<{ state: string; refusal: string | null }>(
    'SELECT state, refusal FROM approval WHERE id = $1',
    [approval],
  )
  return `${operatorId} approves ${ids.join(', ')}: ${rows[0]?.refusal ?? rows[0]?.state}`
}

/** Everybody agrees to everything that waits, or that the signer asks more approvals for. */
export async function approveAll(world: World, gateway: Gateway): Promise<void> {
  for (const { memberId } of world.template.operators) {
    const ids = [
      ...(await openWithdrawals(world, 'requested')),
      ...(await openWithdrawals(world, 'approved')),
    ]
    if (ids.length > 0) await approveAs(world, gateway, memberId, ids)
  }
}
