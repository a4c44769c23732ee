/**
 * Money: whole micro-USDT in a branded bigint.
 *
 * Terms. A *micro* is 0.000001 USDT, the smallest unit of the token and of every figure we keep. A *ratio* is an exact
 * fraction; percentages are ratios. Every division truncates toward zero; who divides says where the remainder stays.
 */
export {
  formatAmount,
  formatMicro,
  type Micro,
  micro,
  microToJsonNumber,
  ONE,
  parseMicro,
  ZERO,
} from './micro.ts'
export { applyRatio, percent, type Ratio, ratio, ratioToPercentText } from './ratio.ts'
