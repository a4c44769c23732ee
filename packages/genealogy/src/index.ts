/** The two trees of members: who introduced whom, who stands where, and how they are drawn. */
export { type Box, NOBODY, type NodeSizes, type Point, TreeLayout } from './layout.ts'
export { type Visible, visible } from './layout-visible.ts'
export { beside, kidsOf, parentOf, pathTo } from './layout-walk.ts'
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
