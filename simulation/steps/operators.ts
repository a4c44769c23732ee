import { commitOnRefusal } from '../../apps/server/src/core/committed-refusal.ts'
import type { Context } from '../../apps/server/src/core/context.ts'
import { decide } from '../../apps/server/src/features/withdrawals/decide.commands.ts'
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
export async function decideSome(world: World, context: Context): Promise<string> {
  const { chance, template } = world
  const operator = template.operators[chance.below(template.operators.length)]
  const waiting = await openWithdrawals(world, 'requested')
  const approved = await openWithdrawals(world, 'approved')
  const late = chance.happens(0.1)
  const from = late ? approved : waiting
  const count = 1 + chance.below(3)
  const refuses = chance.happens(0.15)
  if (operator === undefined || from.length === 0) return 'nothing to decide'
  return decideAs(world, context, operator.memberId, refuses ? 'refuse' : 'approve', from.slice(0, count))
}

export async function decideAs(
  world: World,
  context: Context,
  operatorId: bigint,
  decision: 'approve' | 'refuse',
  ids: readonly bigint[],
): Promise<string> {
  return outcomeOf(async () => {
    await commitOnRefusal(context.db, (tx) =>
      decide(
        tx,
        { decision, ids, reason: 'simulated' },
        { operatorId, now: world.now(), systemNow: world.now() },
      ),
    )
    return `${operatorId} ${decision}s ${ids.join(', ')}`
  })
}

/** Everybody agrees to everything that waits. */
export async function approveAll(world: World, context: Context): Promise<void> {
  for (const { memberId } of world.template.operators)
    for (const id of await openWithdrawals(world, 'requested'))
      await decideAs(world, context, memberId, 'approve', [id])
}
