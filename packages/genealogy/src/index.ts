/** The two trees of members: who introduced whom, who stands where, and how they are drawn. */
export {
  type Box,
  beside,
  kidsOf,
  NOBODY,
  type NodeSizes,
  type Point,
  parentOf,
  pathTo,
  TreeLayout,
} from './layout.ts'
export { type Visible, visible } from './layout-visible.ts'
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
