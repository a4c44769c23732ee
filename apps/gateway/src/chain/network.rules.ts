/** How nodes stand, as the gateway finds them. */

export type NodeState = 'ok' | 'away' | 'rate_limited' | 'over_budget' | 'key_refused' | 'other_network'
/** It is not dead: it does not want to be asked, or we do not want to ask it. */
export type RestingState = Exclude<NodeState, 'ok' | 'away'>

/** How a node stands, and what it was asked on a day (UTC). */
export interface Standing {
  /** Its host. */
  readonly name: string
  readonly state: NodeState
  readonly detail: string
  readonly since: Date
  readonly day: string
  readonly calls: number
  readonly callsPerDay: number | null
}
