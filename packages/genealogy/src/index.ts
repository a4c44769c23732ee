/** The two trees of members: who introduced whom, and who stands where. */
export { type Numbering, numberTree } from './numbering.ts'
export {
  type Chains,
  chainOn,
  chooseSide,
  type Place,
  type Preference,
  placeAtTail,
  placeRoot,
  type Side,
  type Sponsor,
} from './placement.ts'
export {
  countBelow,
  depths,
  indexOf,
  type LegSums,
  nearestMasters,
  type Placements,
  type Sponsors,
  sidesWith,
  sumLegs,
} from './sweep.ts'
