/** One kill: a withdrawal is brought to a boundary, a process dies there, and everything is asked for again. */
import { auditErrand } from './audit.ts'
import type { Boundary } from './boundaries.ts'
import { approve, ask, newErrand } from './errand.ts'
import { fillHotWallet, type Member, newMember, newOperator, type Operator } from './people.ts'
import { openScene, type Scene, type Victim } from './scene.ts'

export interface Stage {
  readonly scene: Scene
  readonly operator: Operator
  /** Someone who has withdrawn nothing yet. */
  newMember(): Promise<Member>
}

/** The product runs, the hot wallet is full, and there is an operator. */
export async function setStage(): Promise<Stage> {
  const scene = await openScene()
  let members = 0
  try {
    const [operator] = await Promise.all([newOperator(scene, 'operadora'), fillHotWallet(scene)])
    return {
      scene,
      operator,
      newMember: () => {
        members += 1
        return newMember(scene, `retira${members}`)
      },
    }
  } catch (error) {
    await scene.product.remove()
    throw error
  }
}

/** @returns all that is wrong afterwards */
export async function cross(
  { scene, operator }: Stage,
  boundary: Boundary,
  victim: Victim,
  { member, amount }: { readonly member: Member; readonly amount: string },
): Promise<string[]> {
  const errand = await newErrand(scene, member, amount)
  const letGo = await boundary.reach(scene, errand, operator)
  await scene.kill(victim)
  await letGo()
  const id = await ask(errand)
  await approve(scene, operator, id)
  return auditErrand(scene, errand, id)
}
