import { createHands } from '../../core/hands.ts'
import { HANDS } from './payouts.rules.ts'

/** All payout work of this process, whatever run it is for, shares these. */
export const hands = createHands(HANDS)
