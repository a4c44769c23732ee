import { formats } from './format.ts'

/** A figure with its currency, the currency quieter than the figure. */
export function Money({ amount, unit = true }: { amount: string | number; unit?: boolean }) {
  return (
    <span className="money">
      {formats.money(amount)}
      {unit ? <span className="money-unit faint">USD</span> : null}
    </span>
  )
}
