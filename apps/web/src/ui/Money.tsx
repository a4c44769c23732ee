import { formats } from './format.ts'

/** A figure with its currency, the currency quieter than the figure. */
export function Money({ amount, unit = true }: { amount: string | number; unit?: boolean }) {
  return (
    <span className="money" translate="no">
      <span>{formats.money(amount)}</span>
      {unit ? <span className="money-unit faint">USD</span> : null}
    </span>
  )
}
