import { useTranslation } from 'react-i18next'
import './amountField.css'
import { fieldAmount, readAmount } from './amount.ts'
import { Button } from './Button.tsx'
import { Field, type FieldProps } from './Field.tsx'
import { formats } from './format.ts'

interface AmountFieldProps extends FieldProps {
  /** What stands in the field. */
  typed: string
  /** Takes the reading that was pressed, written so that it has no other one. */
  onChoose: (written: string) => void
}

/** A field for an amount in USD. An amount with two readings, such as `1.000`, is answered by pressing one of them. */
export function AmountField({ typed, onChoose, ...field }: AmountFieldProps) {
  const { t } = useTranslation('ui')
  const reading = readAmount(typed)
  return (
    <div className="stack-8">
      <Field inputMode="decimal" autoComplete="off" placeholder={fieldAmount('0')} suffix="USD" {...field} />
      {reading.kind === 'unclear' && field.error !== undefined ? (
        <fieldset className="amount-readings" aria-label={t('amountUnclear')}>
          {[reading.large, reading.small].map((plain) => (
            <Button key={plain} onClick={() => onChoose(fieldAmount(plain))}>
              {`$${formats.exact(plain)}`}
            </Button>
          ))}
        </fieldset>
      ) : null}
    </div>
  )
}
